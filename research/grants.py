"""Which scopes a person holds.

Source: design.md D14.
"""

from __future__ import annotations

from django.contrib.auth.models import Group, User
from django.db.models import Q

from research.authority import PUBLIC, desk_scope
from research.models import ScopeGrant


def scopes_of(user: User) -> frozenset[str]:
    """Return what a user may see: public material, his desks', and what was granted to him or them."""
    desks = list(user.groups.all())
    granted = ScopeGrant.objects.filter(Q(user=user) | Q(group__in=desks))
    return frozenset(
        {
            PUBLIC,
            *(desk_scope(desk.name) for desk in desks),
            *granted.values_list("scope", flat=True),
        }
    )


def desk_of(user: User, name: str = "") -> Group | None:
    """Return the desk a user asks for: the named one, or his only or first one."""
    desks = user.groups.order_by("name")
    return (desks.filter(name=name) if name else desks).first()
