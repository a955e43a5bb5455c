"""One prediction for every door: runs drawn, flown, corrected and counted in one place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uav_testgen.core.callable_room import callable_as
from uav_testgen.core.public_names import public_names

if TYPE_CHECKING:
    from uav_testgen.predict.distribution import Distribution as Distribution
    from uav_testgen.predict.evaluation import Evaluation as Evaluation
    from uav_testgen.predict.evaluation import EvaluationStatus as EvaluationStatus
    from uav_testgen.predict.held_out import predict_held_out as predict_held_out
    from uav_testgen.predict.prediction import PredictedRun as PredictedRun
    from uav_testgen.predict.prediction import Prediction as Prediction
    from uav_testgen.predict.runs import DEFAULT_RUNS as DEFAULT_RUNS
    from uav_testgen.predict.runs import predict as predict

__getattr__, __all__ = public_names(
    __name__,
    {
        "runs": "DEFAULT_RUNS predict",
        "held_out": "predict_held_out",
        "prediction": "Prediction PredictedRun",
        "evaluation": "Evaluation EvaluationStatus",
        "distribution": "Distribution",
    },
)
callable_as(__name__, "uav_testgen.api:predict")
