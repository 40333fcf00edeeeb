"""The admin for compliance: read-only, by desk and scope, every model.

Source: design.md D19.
"""

from django.contrib import admin

from audit.admin import dialogue, requests, research, roots, runtime

__all__ = ["dialogue", "requests", "research", "roots", "runtime"]

admin.site.site_header = "bullbear"
admin.site.site_title = "bullbear"
admin.site.index_title = "The record"
