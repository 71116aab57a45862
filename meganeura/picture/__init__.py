"""Pictures: graphs, memory and curves as SVG, curves and images as PNG."""

from .chart import line_chart as line_chart
from .chart import loss_curve as loss_curve
from .graph import draw_graph as draw_graph
from .grid import sample_grid as sample_grid
from .memory import draw_memory as draw_memory
from .plot import draw_lines as draw_lines
from .plot import draw_losses as draw_losses
from .series import Series as Series
