"""The Root's page in a real browser: its policy holds, it reads without scripts, its marks are words."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from socketserver import ThreadingMixIn
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import pytest
from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.test import Client
from playwright.sync_api import Browser, Page, sync_playwright

from bullbear.models import ModelRequest, Root
from tests.admin.pages import list_url, row_url, verify_url

CHROMIUM = shutil.which("chromium")
ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
pytestmark = [
    pytest.mark.usefixtures("database"),
    pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine"),
]
VIOLATIONS = """
window.violations = [];
document.addEventListener("securitypolicyviolation", e => window.violations.push(
  `${e.violatedDirective} ${e.blockedURI} ${e.sourceFile}:${e.lineNumber}`));
"""


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class _Quiet(WSGIRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the parent's name
        pass


@pytest.fixture
def address() -> Iterator[str]:
    """The web application on a free port, in this process."""
    with make_server("127.0.0.1", 0, get_wsgi_application(), _Server, _Quiet) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start the browser; while it runs this thread asks no database: see Django's async safety."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@contextmanager
def opened(
    address: str, session: str, *, scripts: bool = True, dark: bool = False
) -> Iterator[Page]:
    """Open a page of a reader who is logged in."""
    cookie = {"name": settings.SESSION_COOKIE_NAME, "value": session, "url": address}
    with chromium() as browser:
        context = browser.new_context(
            java_script_enabled=scripts, color_scheme="dark" if dark else "light"
        )
        context.add_cookies([cookie])  # type: ignore[list-item]
        if scripts:
            context.add_init_script(VIOLATIONS)
        yield context.new_page()


def test_no_page_violates_its_policy(finished: Root, member: Client, address: str) -> None:
    """Nothing is inline, nothing comes from elsewhere, and nothing was blocked for it."""
    session = member.session.session_key or ""
    request = ModelRequest.objects.get(root=finished, purpose="response")
    urls = ["/admin/", list_url(Root), row_url(finished), verify_url(finished), row_url(request)]
    urls += [list_url(ModelRequest), row_url(request.child), "/admin/logout/"]
    said: list[str] = []
    asked: list[str] = []
    with opened(address, session) as page:
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("request", lambda request: asked.append(request.url))
        for url in urls[:-1]:
            response = page.goto(address + url)
            assert response is not None
            assert response.status == 200, url
            policy = response.headers["content-security-policy"]
            assert "default-src 'none'" in policy
            assert "unsafe" not in policy
            assert page.evaluate("window.violations") == [], url
            assert page.locator("[style], style, script:not([src])").count() == 0, url
    assert said == []
    assert {url.split("/")[2] for url in asked} == {address.removeprefix("http://")}


def test_the_marks_are_read_without_scripts_and_without_colour(
    finished: Root, member: Client, address: str
) -> None:
    """Three marks stand under each message, in words."""
    session = member.session.session_key or ""
    with opened(address, session, scripts=False) as page:
        page.goto(address + row_url(finished))
        for handle, delivered in (("M1", "yes"), ("M2", "no further turn")):
            marks = page.locator(f"#{handle} .bb-mark strong").all_inner_texts()
            assert marks == ["Proposed: yes.", "Accepted: yes.", f"Delivered: {delivered}."]
        columns = page.locator(".bb-exchange thead th").all_inner_texts()
        assert columns[1:] == ["BULL", "BEAR"]
        rows = page.locator(".bb-exchange tbody th").all_inner_texts()
        assert [row.split("\n")[0] for row in rows] == ["Openings", "Round 1", "Round 1"]
        left = page.locator("#M2").bounding_box()
        right = page.locator("#M1").bounding_box()
        assert left is not None
        assert right is not None
        assert left["x"] + left["width"] <= right["x"]
        page.get_by_role("button", name="Verify now").click()
        assert page.locator(".bb-verdict").inner_text().endswith("verified")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_every_word_stands_out_from_its_ground(
    finished: Root, member: Client, address: str, *, dark: bool
) -> None:
    """Contrast of all texts is at least 4.5 to 1 (WCAG 2.2, 1.4.3)."""
    session = member.session.session_key or ""
    with opened(address, session, dark=dark) as page:
        page.goto(address + row_url(finished))
        poor = page.evaluate(CONTRAST)
    assert poor == []


CONTRAST = """
() => {
  const light = c => {
    const [r, g, b] = c.match(/[\\d.]+/g).map(Number).map(v => v / 255)
      .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = e => {
    for (; e; e = e.parentElement) {
      const c = getComputedStyle(e).backgroundColor;
      if (!/, 0\\)$/.test(c)) return c;
    }
    return "rgb(255, 255, 255)";
  };
  return [...document.querySelectorAll("#content-main *")]
    .filter(e => [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()))
    .map(e => {
      const [a, b] = [light(getComputedStyle(e).color), light(ground(e))].sort((x, y) => y - x);
      return [e.tagName, e.className, e.textContent.trim().slice(0, 30), (a + 0.05) / (b + 0.05)];
    })
    .filter(x => x[3] < 4.5);
}
"""
