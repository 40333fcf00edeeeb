"""Somebody who reads the admin over HTTP, and measures how long a page takes."""

from __future__ import annotations

import re
import time
import urllib.parse
import urllib.request
from http.cookiejar import CookieJar

LOGIN = "admin/login/"
_TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')
_SECONDS = 60


class Browser:
    """A logged-in reader.

    Args:
        url: where the web process answers.
    """

    def __init__(self, url: str, username: str, password: str) -> None:
        self._url = url
        self._open = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(CookieJar())
        ).open
        page, _ = self.get(LOGIN)
        token = _TOKEN.search(page)
        assert token is not None
        form = {"csrfmiddlewaretoken": token[1], "username": username, "password": password}
        data = urllib.parse.urlencode({**form, "next": "/admin/"}).encode()
        with self._open(url + LOGIN, data, timeout=_SECONDS) as answer:
            assert answer.url.endswith("/admin/"), answer.url

    def get(self, path: str) -> tuple[str, float]:
        """Read a page; return it, and how long it took in seconds."""
        began = time.monotonic()
        with self._open(self._url + path, timeout=_SECONDS) as answer:
            text = answer.read().decode()
        return text, time.monotonic() - began
