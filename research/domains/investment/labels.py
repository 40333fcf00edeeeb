"""What sector and asset class labels of a file mean.

A label is kept as the file states it; here it gets a bucket.  Only spellings of one and the same
GICS sector are put together, nothing is reclassified.

Source: MSCI and S&P, Global Industry Classification Standard (names of the eleven sectors).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

EQUITIES: Final = "Equities"
BONDS: Final = "Bonds"
CASH: Final = "Cash"
COMMODITIES: Final = "Commodities"
DERIVATIVES: Final = "Derivatives"
MULTI_ASSET: Final = "Multi-asset"
UNCLASSIFIED: Final = "Unclassified"

GICS: Final = (
    "Communication Services",
    "Consumer Discretionary",
    "Consumer Staples",
    "Energy",
    "Financials",
    "Health Care",
    "Industrials",
    "Information Technology",
    "Materials",
    "Real Estate",
    "Utilities",
)
_SPELLINGS: Final = {name.casefold(): name for name in GICS} | {
    word: GICS[at]
    for at, words in enumerate(
        (
            ("communication", "kommunikationsdienste", "services de communication",
                "servizi di comunicazione",
             "servicios de comunicación", "通信服务", "通讯服务"),
            ("nicht-basiskonsumgüter", "zyklische konsumgüter", "consommation discrétionnaire",
                "可选消费", "非必需消费品"),
            ("basiskonsumgüter", "nichtzyklische konsumgüter", "consommation de base",
                "beni di prima necessità",
             "日常消费", "必需消费品"),
            ("energie", "énergie", "energia", "energía", "能源"),
            ("finanzwesen", "finance", "finanza", "finanziari", "finanzas", "金融"),
            ("healthcare", "gesundheitswesen", "soins de santé", "santé", "salute",
                "atención médica", "医疗保健"),
            ("industrie", "industrieunternehmen", "industriali", "industria", "工业"),
            ("it", "informationstechnologie", "technologies de l'information", "tecnologia dell'informazione",
             "tecnología de la información", "信息技术"),
            ("roh-, hilfs- & betriebsstoffe", "materialien", "matériaux", "materiali", "materiales",
                "原材料", "材料"),
            ("immobilien", "immobilier", "immobiliare", "bienes raíces", "房地产"),
            ("versorger", "versorgungsbetriebe", "services aux collectivités", "servizi di pubblica utilità",
             "servicios públicos", "公用事业"),
        )
    )
    for word in words
}  # fmt: skip

GICS_TAXONOMY: Final = "GICS sector labels as stated in the file"
OTHER_TAXONOMY: Final = "sector labels as stated in the file, not all of them GICS"
NO_TAXONOMY: Final = "no sector labels in the file"

# Looked at in this order: "Equity futures" is a derivative, "Cash and/or Derivatives" may be cash.
_GROUPS: Final = (
    (
        CASH,
        re.compile(
            r"\b(cash|money market|deposits?|liquidity|core "
            r"account|barmittel|kasse|geldmarkt\w*|liquidit[aä]t"
            r"|liquidit[eé]s?|tr[eé]sorerie|liquidit[aà]|contanti|efectivo|tesorer[ií]a|liquidez)\b"
            r"|现金|货币市场|存款|現金"
        ),
    ),
    (
        DERIVATIVES,
        re.compile(
            r"\b(derivatives?|futures?|forwards?|swaps?|options?|cfds?|fx|warrants?|derivate?|d[eé]riv[eé]s?"
            r"|derivati|derivados|termingesch[aä]fte?|optionsscheine?|futuros|opciones|opzioni|a terme)\b"
            r"|衍生|期货|期权|权证|掉期"
        ),
    ),
    (MULTI_ASSET, re.compile(r"\b(multi[- ]?assets?|mixed|balanced|(asset )?allocation)\b")),
    (
        BONDS,
        re.compile(
            r"\b(bonds?|fixed[- ]income|debt|treasur(y|ies)|notes?|gilts?|bunds?|anleihen?|renten(papiere?)?"
            r"|staatsanleihen?|unternehmensanleihen?|obligation(s|en)?|obligataires?|obbligazion[ei]|obbligazionari[oa]"
            r"|obligaciones|bonos|renta fija)\b|债券|国债|固定收益|債券"
        ),
    ),
    (
        COMMODITIES,
        re.compile(
            r"\b(commodit(y|ies)|gold|silver|precious metals?|rohstoffe?|mati[eè]res "
            r"premi[eè]res|materie prime"
            r"|materias primas)\b|商品|黄金"
        ),
    ),
    (
        EQUITIES,
        re.compile(
            r"\b(equit(y|ies)|stocks?|shares?|common|ordinary|reits?|adrs?|gdrs?"
            r"|deposit(o|a)ry receipts?|aktien?|actions?|azion[ei]|azionari[oa]|acciones|renta variable)\b"
            r"|股票|权益|普通股|A股|股權"
        ),
    ),
)


@lru_cache(maxsize=4_096)
def asset_group(label: str) -> str:
    """Return the group an asset class label names, or "" where it names none known."""
    words = label.casefold().replace("_", " ")
    return next((group for group, pattern in _GROUPS if pattern.search(words)), "")


@lru_cache(maxsize=4_096)
def sector_bucket(label: str) -> str:
    """Return the bucket of a sector label: the GICS name if it is one, else the label itself."""
    return _SPELLINGS.get(label.casefold(), label)


def is_gics(label: str) -> bool:
    """Whether the label is one of the eleven GICS sectors."""
    return label.casefold() in _SPELLINGS


def taxonomy(labels: set[str]) -> str:
    """Name the taxonomy of a file from the sector labels of its positions."""
    if not labels:
        return NO_TAXONOMY
    return GICS_TAXONOMY if all(is_gics(label) for label in labels) else OTHER_TAXONOMY
