"""Where a stack's things lie, who may read them, and that only one stack has them."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from config.embedded import folders as module
from config.embedded.folders import AlreadyRunning, Folders, lock, prepare, write_private

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root's servers run as nobody")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


class TestPrepare:
    def test_keeps_the_servers_in_the_home(self, home: Path) -> None:
        """A home that the servers' user may enter holds everything."""
        assert prepare(home).servers == home / "servers"
        assert mode(home / "logs") == 0o700

    @as_root
    def test_goes_elsewhere_when_nobody_cannot_enter(
        self, home: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """In a 0700 folder the servers' folder lies outside, and no mode is changed."""
        monkeypatch.setattr(module, "OUTSIDE", home / "outside")
        closed = home / "closed"
        closed.mkdir(mode=0o700)
        found = prepare(closed / "home")
        assert found.servers.parent == home / "outside"
        assert mode(closed) == 0o700
        assert (mode(found.servers), found.servers.stat().st_uid) == (0o711, 0)
        assert prepare(closed / "home").servers == found.servers


class TestLock:
    def test_admits_one(self, folders: Folders) -> None:
        """The second is told where the first runs, and may come when it has gone."""
        held = lock(folders)
        with pytest.raises(AlreadyRunning, match=str(folders.home)):
            lock(folders)
        os.close(held)
        os.close(lock(folders))


class TestWritePrivate:
    def test_lets_only_the_owner_read(self, folders: Folders) -> None:
        """Mode 0600 from the first byte, whatever stood there."""
        path = folders.home / "secret"
        path.write_text("old")
        path.chmod(0o644)
        write_private(path, "new")
        assert (path.read_text(), mode(path)) == ("new", 0o600)
