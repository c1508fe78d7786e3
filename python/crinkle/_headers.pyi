from typing import Any, Optional

class Header:
    format: str
    shape: tuple[int, ...]
    spacing: tuple[float, ...]
    slope: float
    intercept: float
    orientation: str
    affine: Optional[Any]
    space_unit: str
    time_unit: str
    time_step: Optional[float]
    time_offset: float
    crs: Optional[str]
    geotransform: Optional[tuple[float, float, float, float, float, float]]
    nodata: Optional[float]
    bands: tuple[str, ...]
    scales: tuple[tuple[float, float], ...]
    def __init__(self, *, affine: Any = ..., spacing: Any = ..., slope: float = ..., intercept: float = ..., space_unit: str = ..., time_unit: str = ...,
                 time_offset: float = ..., crs: Any = ..., geotransform: Any = ..., nodata: Optional[float] = ..., bands: Any = ..., scales: Any = ...) -> None: ...
    def replace(self, *, affine: Any = ..., spacing: Any = ..., slope: float = ..., intercept: float = ..., space_unit: str = ..., time_unit: str = ...,
                time_offset: float = ..., crs: Any = ..., geotransform: Any = ..., nodata: Optional[float] = ..., bands: Any = ..., scales: Any = ...) -> Header: ...
    def moved(self, spec: str, **words: Any) -> Header: ...
def header_of(path: Any) -> bytes: ...
