"""Tables of nobody in particular: six languages, any delimiter, workbooks, JSON and XML."""

from __future__ import annotations

import pytest

from research.domain import Reading, Unreadable
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


class TestSeveralTables:
    ONE = "Fund,X\nName,ISIN,Weight (%)\nA,US0378331005,60\nB,DE0007164600,40\n"

    def test_a_list_of_the_largest_repeats_the_table(self) -> None:
        top: list[list[Cell]] = [["ISIN", "Name", "Weight (%)"], ["US0378331005", "A", 60.5]]
        reading = read(xlsx({"Top 10": top, "Holdings": [*top, ["DE0007164600", "B", 39.5]]}))
        assert [row["class"] for row in reading.rows] == [
            "rejected",
            "rejected",
            "position",
            "position",
        ]
        assert reading.summary["weight_sum_pct"] == "100.0"

    def test_two_different_tables_are_refused(self) -> None:
        other = self.ONE.replace("US0378331005", "US5949181045")
        with pytest.raises(
            Unreadable, match="header row of the first is row 2, of the second row 7"
        ) as refused:
            read(self.ONE + "\n" + other.partition("\n")[0] + "\n" + other.partition("\n")[2])
        assert refused.value.row == 7

    def test_transactions_below_positions_are_told_apart(self) -> None:
        reading = read(
            self.ONE
            + "\nTrade date,Transaction type,Name,ISIN,Amount\n2024-01-02,Buy,A,US0378331005,5\n"
        )
        assert [row["class"] for row in reading.rows] == [
            "position",
            "position",
            "rejected",
            "rejected",
        ]
        assert reading.rows[2]["reason"] == (
            "it belongs to another table, of transactions, with the header in row 6"
        )


class TestUnits:
    def test_a_unit_from_the_sum_alone_is_a_finding(self) -> None:
        reading = read("Fund,X\nName,ISIN,Weight\nA,US0378331005,60\nB,DE0007164600,40\n")
        assert reading.findings[0] == (
            "The file does not state the unit of its weights; their sum of 100 says percent."
        )

    def test_a_stated_unit_makes_a_part_of_the_holdings_readable(self) -> None:
        reading = read("Fund,X\nName,ISIN,Weight (%)\nA,US0378331005,6\nB,DE0007164600,4\n")
        assert reading.findings[0] == (
            "The weights sum to 10 percent only: the file lists some of the holdings."
        )
        assert reading.summary["weight_sum_pct"] == "10"

    def test_values_in_several_currencies_are_not_added_up(self) -> None:
        with pytest.raises(Unreadable, match=r"in several currencies \(USD, EUR in row 3\)"):
            read(
                "Name;ISIN;Quantity;Market Value;Currency\nA;US0378331005;1;10;USD\nB;DE0007164600;1;10;EUR\n"
            )

    def test_values_in_one_currency_become_weights(self) -> None:
        reading = read(
            "Depot: 123\nBezeichnung;WKN;ISIN;Stück;Einstandskurs;Kurswert in EUR\n"
            "Fonds A;A0RPWH;IE00B4L5Y983;10;50,00;1.234,56\nFonds "
            "B;;IE00B5BMR087;5;10,00;765,44\nSumme;;;;;2.000,00\n"
        )
        assert (reading.kind, reading.reader) == ("portfolio", "broker_csv/1")
        assert [row.get("weight_pct") for row in reading.rows] == ["61.728000", "38.272000", None]
        assert reading.summary["value_currency"] == "EUR"


class TestKinds:
    BARE = "Name,ISIN,Weight\n{one},IE00B5BMR087,60\n{two},US0378331005,40\n"

    def test_a_bare_list_of_companies_is_a_fund_and_said_not_to_name_it(self) -> None:
        reading = read(self.BARE.format(one="A", two="B"))
        assert (reading.kind, reading.reader) == ("holdings", "generic_csv/1")
        assert "by what it lists it was read as the holdings of one fund" in reading.findings[-1]

    def test_a_bare_list_of_funds_is_a_portfolio(self) -> None:
        reading = read(self.BARE.format(one="World UCITS ETF", two="Bond Index Fund"))
        assert (reading.kind, reading.reader) == ("portfolio", "generic_csv/1")
        assert reading.findings[-1].endswith("by what it lists it was read as a portfolio.")

    def test_a_column_may_be_told_by_its_values(self) -> None:
        rows = "A;US0378331005;60\nB;US5949181045;39.95\nC;DE0007164600;0.05\n"
        reading = read(f"Fonds;X\nName;Kenn;Gewicht (%)\n{rows}")
        assert [row["isin"] for row in reading.rows] == [
            "US0378331005",
            "US5949181045",
            "DE0007164600",
        ]
        assert reading.findings[0] == (
            "The column 'Kenn' holds ISINs by its values; its header does not say so."
        )

    def test_assets_without_holdings_are_missing_holdings(self) -> None:
        reading = read('Fund,Empty\nNet assets,"1,000,000.00"\nName,ISIN,Weight (%)\n')
        assert reading.rows == ()
        assert reading.findings[0].startswith(
            "Holdings missing: the file states net assets of 1000000.00 and no holding"
        )

    def test_the_basket_of_a_swap_fund_is_no_exposure(self) -> None:
        reading = read(
            "Fund,World Swap UCITS ETF\nReplication,Synthetic\nName,ISIN,Weight (%)\nApple,US0378331005,60\n"
            "SAP,DE0007164600,39.5\nTotal return swap on MSCI World,,0.5\n"
        )
        assert [row["class"] for row in reading.rows] == ["rejected", "rejected", "derivative"]
        assert reading.rows[0]["reason"] == (
            "it is in the basket of a swap fund, which is no exposure of the fund"
        )
        assert reading.summary["weight_sum_pct"] == "0.5"
        assert reading.findings[0].startswith(
            "This is a swap fund: the 2 rows of its basket are no exposure"
        )

    def test_a_swap_in_any_other_fund_is_a_finding(self) -> None:
        reading = read(
            "Fund,World\nName,ISIN,Weight (%)\nApple,US0378331005,99.5\nTotal return swap,,0.5\n"
        )
        assert reading.counts["position"] == 1
        assert "Rows of swaps: 1 (the first is row 4)." in " ".join(reading.findings)
