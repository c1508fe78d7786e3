from typing import Any

class Explained:
    tasks: dict[str, int]
    pieces: int
    bytes_read: int
    network_bytes: int
    largest_task_bytes: int
    peak_bytes: int
    workers: int
    threads: int

def explain(x: Any, *, workers: int = 1, threads: int = 1) -> Explained: ...
