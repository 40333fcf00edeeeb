"""Start a child that dies with us, know it again, and stop it by its own pid.

Note [Death signal]: the kernel sends a child's parent-death signal when the *thread* that started
it ends, and forgets it whenever the child changes its user.  So children are started from the main
thread only, and the signal is asked for after the change of user: `subprocess` changes user before
it calls `preexec_fn`.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None, use_errno=True)


@dataclass(frozen=True, slots=True)
class User:
    """The unprivileged user a server runs as when we are root."""

    uid: int
    gid: int


@dataclass(frozen=True, slots=True)
class Program:
    """What to start, as whom, and how it is stopped.

    Args:
        stop_signal: asks for an orderly end.
        stop_seconds: how long that may take before SIGKILL.
        death_signal: what the kernel sends when the supervisor itself is killed.
    """

    name: str
    command: tuple[str, ...]
    environment: Mapping[str, str]
    folder: Path
    log: Path
    user: User | None = None
    stop_signal: signal.Signals = signal.SIGTERM
    stop_seconds: float = 10.0
    death_signal: signal.Signals = signal.SIGKILL


@dataclass(frozen=True, slots=True)
class Command:
    """What runs in our foreground, with our terminal.

    Args:
        output: a file in place of our standard output.
    """

    arguments: tuple[str, ...]
    environment: Mapping[str, str]
    output: Path | None = None

    def start(self) -> subprocess.Popen[bytes]:
        """Start it; it dies with us."""
        with ExitStack() as stack:
            output = stack.enter_context(self.output.open("wb")) if self.output else None
            return subprocess.Popen(  # noqa: S603
                self.arguments,
                env=dict(self.environment),
                stdout=output,
                preexec_fn=die_with_parent(signal.SIGKILL),  # noqa: PLW1509 - no thread runs
            )


@dataclass(frozen=True, slots=True)
class Identity:
    """A process that cannot be mistaken for a later one with the same pid.

    Args:
        started: clock ticks between boot and its start (field 22 of /proc/PID/stat).
    """

    pid: int
    started: int


def identity(pid: int) -> Identity | None:
    """Say which process `pid` is now, or None where none lives (a zombie does not)."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return None if fields[0] in "ZX" else Identity(pid, int(fields[19]))


def is_alive(known: Identity) -> bool:
    """Say whether that very process still runs."""
    return identity(known.pid) == known


def spawn(program: Program) -> subprocess.Popen[bytes]:
    """Start `program` in a session of its own, with its output in its log file.

    Its own session keeps a terminal's Ctrl-C from it: the supervisor stops its children in order.
    """
    with program.log.open("ab") as log:
        return subprocess.Popen(  # noqa: S603
            program.command,
            env=dict(program.environment),
            cwd=program.folder,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=die_with_parent(program.death_signal),  # noqa: PLW1509 - started before any thread
            umask=0o077,
            user=program.user.uid if program.user else None,
            group=program.user.gid if program.user else None,
            extra_groups=[] if program.user else None,
        )


def run_once(program: Program, *, timeout: float) -> int:
    """Run `program` to its end and return its exit status."""
    process = spawn(program)
    try:
        return process.wait(timeout)
    except subprocess.TimeoutExpired:
        stop(process, program)
        return process.returncode


def stop(process: subprocess.Popen[bytes], program: Program) -> None:
    """Ask for an orderly end, insist after `stop_seconds`, and reap.

    The pid cannot belong to another process: an unreaped child keeps it.
    """
    if process.poll() is not None:
        return
    process.send_signal(program.stop_signal)
    try:
        process.wait(program.stop_seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def end_leftover(known: Identity, *, patience_seconds: float) -> None:
    """End a process that a killed supervisor left: it has its death signal, so first just wait."""
    for stop_signal in (None, signal.SIGTERM, signal.SIGKILL):
        if stop_signal is not None and is_alive(known):
            os.kill(known.pid, stop_signal)
        if wait_until(lambda: not is_alive(known), seconds=patience_seconds):
            return


def wait_until(holds: Callable[[], bool], *, seconds: float, every: float = 0.03) -> bool:
    """Ask `holds` until it says yes or the time is over."""
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() >= end:
            return False
        time.sleep(every)
    return True


def die_with_parent(
    death_signal: signal.Signals, *, parent: int | None = None
) -> Callable[[], None]:
    """Return what a child runs before `exec`: see Note [Death signal]."""
    expected = parent or os.getpid()

    def ask_the_kernel() -> None:
        _libc.prctl(PR_SET_PDEATHSIG, int(death_signal), 0, 0, 0)
        if os.getppid() != expected:
            os.kill(os.getpid(), signal.SIGKILL)

    return ask_the_kernel
