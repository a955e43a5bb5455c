"""Which model the `--json` answer of each command obeys. A new command gets a line here."""

from __future__ import annotations

from pydantic import BaseModel

from uav_testgen.cli._answers import assurance, doctor, scene, search, tools

ANSWERS: dict[str, tuple[type[BaseModel], ...]] = {
    "as-aerialist": (search.AsAerialistAnswer,),
    "bench": (tools.BenchAnswer,),
    "calibrate": (tools.CalibrateAnswer,),
    "campaign": (search.CampaignAnswer,),
    "certify": (assurance.CertifyAnswer,),
    "check": (scene.CheckAnswer,),
    "compare": (search.CompareAnswer,),
    "compare-planners": (search.ComparePlannersAnswer,),
    "competition": (search.CompetitionAnswer,),
    "compile": (tools.CompileAnswer,),
    "completion": (tools.CompletionAnswer,),
    "confirm": (search.CampaignAnswer,),
    "convert": (scene.ConvertAnswer,),
    "doctor": (doctor.DoctorAnswer,),
    "explain": (assurance.ExplainAnswer, assurance.MechanismsAnswer),
    "fidelity": (tools.FidelityAnswer,),
    "figure": (scene.FigureAnswer,),
    "fleet": (tools.FleetAnswer, tools.ShippedFleets),
    "fly": (scene.FlyAnswer,),
    "generate": (search.CampaignAnswer, search.RepeatedAnswer),
    "golden": (tools.GoldenAnswer,),
    "graph": (tools.GraphAnswer,),
    "list": (tools.ListAnswer,),
    "minimise": (assurance.MinimiseAnswer,),
    "replay": (tools.ReplayAnswer,),
    "replicate": (search.ReplicateAnswer, search.RepeatedAnswer),
    "report": (search.CampaignAnswer,),
    "scenarios": (search.ScenariosAnswer,),
    "score": (search.ScoreAnswer,),
    "statistics": (search.StatisticsAnswer,),
    "studio": (scene.StudioAnswer,),
    "study": (search.StudyAnswer, search.CompareAnswer),
    "worker": (tools.WorkerAnswer,),
}
"""The first model is the usual one; further ones belong to options that change the answer."""
