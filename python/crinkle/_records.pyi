from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, Optional, Union

class Candidate(NamedTuple):
    layout: str
    seconds: float
    iqr: float
    gb_per_s: float
    is_present: bool
    convert_seconds: Optional[float]
    pays_after: Optional[int]

def records(x: Any, to: Optional[str] = None, *, dtype: Any = None, source: Optional[str] = None) -> Any: ...
def advise(dtype: Any, reads: Union[str, Sequence[str]], writes: Union[str, Sequence[str]], n: int, *, source: Optional[str] = None,
           order: str = "sequential", candidates: Sequence[str] = (), samples: int = 9, most_seconds: float = 20.0) -> list[Candidate]: ...
