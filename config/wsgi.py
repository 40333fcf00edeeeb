"""What gunicorn serves."""

import os

from django.conf import settings
from django.core.wsgi import get_wsgi_application

from config.configuration import require

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
require(settings.BULLBEAR, "database_url", "broker_url", "secret_key")
application = get_wsgi_application()
