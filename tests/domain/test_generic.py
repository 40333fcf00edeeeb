"""Tables of nobody in particular: six languages, any delimiter, workbooks, JSON and XML."""

from __future__ import annotations

import pytest

from research.domain import Reading
from research.domains.investment import DOMAIN
from research.domains.investment.readers.columns import HeaderKind, kind_of, meaning
from tests.domain.workbooks import Cell, xlsx

GERMAN = (
    "Fondsname;Musterfonds Global\nISIN;DE0008474511\nStand;30.Dez.2022\n\n"
    "Emittententicker;Name;Sektor;Anlageklasse;Marktwert;Gewichtung (%);Nominalwert;ISIN;Währung\n"
    "AAPL;APPLE INC;IT;Aktien;1.234.567,89;60,03;1.234.567,89;US0378331005;USD\n"
    "SAP;SAP SE;IT;Aktien;234.567,89;39,90;234.567,89;DE0007164600;EUR\n"
    "EUR;EUR CASH;Barmittel und/oder Derivate;Barmittel;100,00;0,07;100,00;-;EUR\n"
    "Summe;;;;;100,00\n"
)
FRENCH = (
    "Fonds;Monde Actions\nPositions au;30 décembre 2022\nLibellé;Code ISIN;Poids (%);Secteur\n"
    "TotalEnergies SE;FR0000120271;50,5;Énergie\nLVMH;FR0000121014;49,4;Consommation "
    "discrétionnaire\nTotal;;99,9;\n"
)
ITALIAN = (
    "Fondo,Azioni Italia\nPosizioni al,30/12/2022\nTitolo,Codice ISIN,Peso %,Settore\n"
    'ENI SPA,IT0003132476,"55,0",Energia\nENEL SPA,IT0003128367,"45,0",Servizi di pubblica utilità\n'
)
SPANISH = (
    "Cartera: Mi cartera\nNombre|Código ISIN|Peso (%)|Clase de activo\n"
    "Fondo Global|ES0175437005|70,0|Renta variable\nFondo Bonos|ES0113211835|30,0|Renta fija\n"
)
CHINESE = (
    "基金名称：测试基金\n报告期：2022年12月31日\n股票代码,股票名称,占基金资产净值比例（%）,所属行业\n"
    "000001,平安银行,60.01,金融\n000858,五粮液,39.90,日常消费\n"
)


def read(text: str | bytes) -> Reading:
    return DOMAIN.read(text.encode() if isinstance(text, str) else text, "")


def shown(reading: Reading) -> list[tuple[str, str, str, str]]:
    return [
        (row["name"], row["isin"] or row["code"], row["weight_pct"], row["sector"])
        for row in reading.rows
        if "weight_pct" in row
    ]


class TestLanguages:
    def test_german(self) -> None:
        reading = read(GERMAN)
        assert (reading.kind, reading.as_of) == ("holdings", "2022-12-30")
        assert reading.identity == {
            "name": "Musterfonds Global",
            "isin": "DE0008474511",
            "ticker": "",
        }
        assert shown(reading)[:2] == [
            ("APPLE INC", "US0378331005", "60.03", "IT"),
            ("SAP SE", "DE0007164600", "39.90", "IT"),
        ]
        assert [row["class"] for row in reading.rows] == [
            "position",
            "position",
            "cash",
            "subtotal",
        ]
        assert reading.rows[0]["market_value"] == "1234567.89"

    def test_french(self) -> None:
        reading = read(FRENCH)
        assert (reading.identity["name"], reading.as_of) == ("Monde Actions", "2022-12-30")
        assert shown(reading) == [
            ("TotalEnergies SE", "FR0000120271", "50.5", "Énergie"),
            ("LVMH", "FR0000121014", "49.4", "Consommation discrétionnaire"),
        ]
        assert reading.summary["taxonomy"] == "GICS sector labels as stated in the file"

    def test_italian(self) -> None:
        reading = read(ITALIAN)
        assert (reading.identity["name"], reading.as_of) == ("Azioni Italia", "2022-12-30")
        assert shown(reading)[0] == ("ENI SPA", "IT0003132476", "55.0", "Energia")

    def test_spanish(self) -> None:
        reading = read(SPANISH)
        assert (reading.kind, reading.identity["name"]) == ("portfolio", "Mi cartera")
        assert [(row["line"], row["weight_pct"]) for row in reading.rows] == [
            (1, "70.0"),
            (2, "30.0"),
        ]

    @pytest.mark.parametrize("encoding", ["utf-8", "gb18030"])
    def test_chinese(self, encoding: str) -> None:
        reading = read(CHINESE.encode(encoding))
        assert (reading.identity["name"], reading.as_of) == ("测试基金", "2022-12-31")
        assert shown(reading)[0] == ("平安银行", "000001", "60.01", "金融")

    @pytest.mark.parametrize(
        ("cell", "role"),
        [
            ("权重(%)weight", "weight"),
            ("成份券代码Constituent Code", "code"),
            ("日期Date", "date"),
            ("mktValPercent", "weight"),
            ("Percent of Fund", "weight"),
            ("% de l\u2019actif net", "weight"),
            ("Anteil am Fondsvermögen in %", "weight"),
            ("Ponderación", "weight"),
            ("Kurswert in EUR", "market_value"),
            ("Controvalore (EUR)", "market_value"),
            ("security.isin", "isin"),
            ("Símbolo", "ticker"),
            ("Anything else", ""),
        ],
    )
    def test_header_words(self, cell: str, role: str) -> None:
        assert meaning(cell).role == role

    def test_a_header_may_state_the_currency(self) -> None:
        assert meaning("Value in CHF") == ("market_value", "CHF")
        assert meaning("Amount (EUR)") == ("market_value", "EUR")
        assert meaning("Amount") == ("quantity", "")

    def test_a_row_with_numbers_is_no_header(self) -> None:
        assert kind_of(("Name", "Weight", "Sector")) is HeaderKind.WEIGHTS
        assert kind_of(("Name", "Weight", "12.5")) is None
        assert kind_of(("Weight", "Sector")) is None


class TestContainers:
    @pytest.mark.parametrize("sign", [",", ";", "\t", "|", "^", "~"])
    def test_any_delimiter(self, sign: str) -> None:
        text = "Fund,W\nName,ISIN,Weight (%)\nA,US0378331005,60.5\nB,DE0007164600,39.5\n"
        assert shown(read(text.replace(",", sign))) == [
            ("A", "US0378331005", "60.5", ""),
            ("B", "DE0007164600", "39.5", ""),
        ]

    def test_json(self) -> None:
        reading = read(
            '{"fund": "My Fund", "asOfDate": "2024-05-31", "holdings": ['
            '{"security": {"name": "Apple", "isin": "US0378331005"}, "weightPct": 60.50, "sector": "Energy"},'
            '{"security": {"name": "SAP", "isin": "DE0007164600"}, "weightPct": 39.5, "sector": null}]}'
        )
        assert (reading.identity["name"], reading.as_of) == ("My Fund", "2024-05-31")
        assert shown(reading) == [
            ("Apple", "US0378331005", "60.50", "Energy"),
            ("SAP", "DE0007164600", "39.5", ""),
        ]

    def test_xml(self) -> None:
        reading = read(
            "<fund><asOfDate>2024-05-31</asOfDate><holdings>"
            "<holding isin='US0378331005'><name>Apple</name><weightPct>60.5</weightPct></holding>"
            "<holding "
            "isin='DE0007164600'><name>SAP</name><weightPct>39.5</weightPct></holding></holdings></fund>"
        )
        assert reading.as_of == "2024-05-31"
        assert shown(reading) == [
            ("Apple", "US0378331005", "60.5", ""),
            ("SAP", "DE0007164600", "39.5", ""),
        ]

    def test_codes_that_a_workbook_made_numbers_are_text_and_a_finding(self) -> None:
        reading = read(
            xlsx(
                {
                    "A": [
                        ["Fund", "X"],
                        ["Code", "Name", "Weight (%)"],
                        [600519, "M", 60.5],
                        ["000001", "P", 39.5],
                    ]
                }
            )
        )
        assert shown(reading) == [("M", "600519", "60.5", ""), ("P", "000001", "39.5", "")]
        assert reading.findings[0].startswith(
            "Codes in the column 'Code' that were stored as numbers: 1;"
        )

    def test_a_code_that_became_a_power_of_ten_identifies_nothing(self) -> None:
        reading = read("Fund,X\nCode,Name,Weight (%)\n6.00519E+05,M,60.5\n000001.0,P,39.5\n")
        assert [row["code"] for row in reading.rows] == ["", "000001"]
        assert "name_only" in reading.rows[0]

    def test_weights_a_workbook_shows_as_percent_are_fractions(self) -> None:
        reading = read(
            xlsx(
                {
                    "A": [
                        ["Fund", "X"],
                        ["ISIN", "Name", "Weight (%)"],
                        ["US0378331005", "A", 0.605],
                        ["DE0007164600", "B", 0.395],
                    ]
                }
            )
        )
        assert [row["weight_pct"] for row in reading.rows] == ["60.500", "39.500"]
        assert reading.summary["stated_as"] == "fractions"

    def test_other_sheets_are_kept_with_the_reason(self) -> None:
        table: list[list[Cell]] = [
            ["ISIN", "Name", "Weight (%)"],
            ["US0378331005", "A", 60.5],
            ["DE0007164600", "B", 39.5],
        ]
        reading = read(
            xlsx({"Notes": [["Some words"], ["a", "b", "c"]], "Holdings": [["Fund", "X"], *table]})
        )
        assert [(row["sheet"], row["class"]) for row in reading.rows] == [
            ("Notes", "footer"),
            ("Notes", "rejected"),
            ("Holdings", "position"),
            ("Holdings", "position"),
        ]
        assert reading.rows[1]["reason"] == "it belongs to no table of positions"


class TestOtherShapesOfJson:
    @pytest.mark.parametrize(
        "text",
        [
            '[["name", "isin", "weight_pct"], ["A", "US0378331005", 60.5], ["B", "DE0007164600", 39.5]]',
            (
                '{"columns": ["name", "isin", "weight_pct"], "data": [["A", "US0378331005", 60.5], '
                '["B", "DE0007164600", 39.5]]}'
            ),
            (
                '{"name": "A", "isin": "US0378331005", "weight_pct": 60.5}\n'
                '{"name": "B", "isin": "DE0007164600", "weight_pct": 39.5}\n'
            ),
            (
                '{"US0378331005": {"name": "A", "weight_pct": 60.5}, "DE0007164600": {"name": "B", '
                '"weight_pct": 39.5}}'
            ),
        ],
        ids=["rows", "columns and rows", "a line each", "by code"],
    )
    def test_they_are_one_table(self, text: str) -> None:
        assert shown(read(text)) == [
            ("A", "US0378331005", "60.5", ""),
            ("B", "DE0007164600", "39.5", ""),
        ]


class TestWordsAboveTheHeader:
    def test_a_sentence_states_the_date_and_a_heading_the_fund(self) -> None:
        reading = read(
            "Some MSCI World UCITS ETF\nHoldings as of 31 December 2024\n\nName;ISIN;Weighting\n"
            "A;US0378331005;60,5%\nB;DE0007164600;39,5%\n"
        )
        assert (reading.identity["name"], reading.as_of) == (
            "Some MSCI World UCITS ETF",
            "2024-12-31",
        )
        assert not any("unit" in finding for finding in reading.findings)  # the cells state it

    def test_the_weight_in_a_benchmark_is_another(self) -> None:
        reading = read(
            "Fund,X\nName,ISIN,Weight (%),Index weight (%)\nA,US0378331005,60,50\nB,DE0007164600,40,50\n"
        )
        assert [row["weight_pct"] for row in reading.rows] == ["60", "40"]
