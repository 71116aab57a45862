"""Training: schedules, the trainer, what it tells while it trains."""

from .callbacks import EpochStats as EpochStats
from .callbacks import LossHistory as LossHistory
from .callbacks import MetricCallback as MetricCallback
from .callbacks import StepMetrics as StepMetrics
from .callbacks import TrainHistory as TrainHistory
from .callbacks import Validation as Validation
from .config import TrainConfig as TrainConfig
from .flow import FlowBatches as FlowBatches
from .flow import draw_samples as draw_samples
from .schedule import Constant as Constant
from .schedule import Cosine as Cosine
from .schedule import Schedule as Schedule
from .schedule import Warmup as Warmup
from .trainer import Trainer as Trainer
