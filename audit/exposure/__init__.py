"""What a model saw: a sealed body decoded, each part beside its canonical record.

Source: design.md D4, D14, D19.
"""

from audit.exposure.body import Decoded, Line, Segment
from audit.exposure.page import Exposure, load_exposure

__all__ = ["Decoded", "Exposure", "Line", "Segment", "load_exposure"]
