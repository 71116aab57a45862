"""The table: for every registered op, the shapes it is tried on, how a graph builds it, and an
independent formula for what it gives. A test fails if an op has no row."""

from tests.ops.cases import attention as attention
from tests.ops.cases import elementwise as elementwise
from tests.ops.cases import image as image
from tests.ops.cases import norm as norm
from tests.ops.cases import optimizer as optimizer
from tests.ops.cases import structure as structure
from tests.ops.table import CASES as CASES
