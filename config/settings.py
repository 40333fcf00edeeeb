"""Django's settings, all derived from `Env`; the rest of the code reads it as `settings.BULLBEAR`.

Source: design.md D4, D19, D20.
"""

from __future__ import annotations

import secrets
from urllib.parse import urlsplit

from csp.constants import NONE, SELF

from config.configuration import load
from config.databases import databases
from config.log import configure_structlog, logging_config

BULLBEAR = load()

DEBUG = False
SECRET_KEY = BULLBEAR.secret_key.get_secret_value() or secrets.token_urlsafe(48)
DATABASES = databases(BULLBEAR)
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True

INSTALLED_APPS = [
    "audit.apps.AuditConfig",
    "dialogue.apps.DialogueConfig",
    "research.apps.ResearchConfig",
    "bullbear.apps.BullbearConfig",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django_linear_migrations",
    "rest_framework",
    "csp",
]

MIDDLEWARE = [
    "config.outages.DatabaseAway",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "csp.middleware.CSPMiddleware",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]

STATIC_URL = "/static/"
WHITENOISE_USE_FINDERS = True

_PUBLIC = urlsplit(BULLBEAR.public_url)
_IS_HTTPS = _PUBLIC.scheme == "https"
ALLOWED_HOSTS = [
    *BULLBEAR.allowed_hosts,
    *([_PUBLIC.hostname] if _PUBLIC.hostname else []),
    *("127.0.0.1", "localhost", "[::1]"),
]
CSRF_TRUSTED_ORIGINS = [BULLBEAR.public_url] if BULLBEAR.public_url else []
CSRF_COOKIE_SECURE = _IS_HTTPS
CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_SECURE = _IS_HTTPS
SESSION_COOKIE_SAMESITE = "Strict"
SECURE_HSTS_SECONDS = 31_536_000 if _IS_HTTPS else 0
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
    }
}

LOGGING = logging_config()
configure_structlog()
