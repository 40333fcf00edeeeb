"""The desk and the two accounts of a fresh stack: both belong to the desk, since nobody sees another's."""

from __future__ import annotations

from django.contrib.auth.models import Group, User

DESK = "demo"
ANALYST = "analyst"
ADMIN = "admin"


def make_accounts(*, admin_password: str, analyst_password: str) -> None:
    """Make what does not exist yet; an empty password is one that nobody can log in with."""
    desk, _ = Group.objects.get_or_create(name=DESK)
    if not User.objects.filter(username=ADMIN).exists():
        admin = User.objects.create_superuser(ADMIN, password=admin_password or None)
        admin.groups.add(desk)
    if not User.objects.filter(username=ANALYST).exists():
        analyst = User.objects.create_user(ANALYST, password=analyst_password or None)
        analyst.groups.add(desk)
