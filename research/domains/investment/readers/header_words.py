"""What header cells say, in English, German, French, Italian, Spanish and Chinese.

Words are compared without case, accents and brackets, and without the word for percent.  `valeur`,
`valor` and the like mean an amount here: a security is `titre`, `titolo`, `título`.
"""

from __future__ import annotations

from typing import Final

WORDS: Final = {
    "weight": (
        "weight", "weights", "weighting", "portfolio weight", "fund weight", "index weight", "allocation",
        "of portfolio", "of fund", "of net assets", "net assets weight", "net assets", "of nav", "of total",
        "of assets", "of market value", "weight of fund", "weight in portfolio", "mkt val", "share of portfolio",
        "market value weight", "of holdings", "of total net assets", "holding weight", "current weight",
        "gewicht", "gewichtung", "anteil", "anteil am fonds", "anteil am fondsvermogen", "depotanteil",
        "am fondsvermogen", "portfolioanteil", "anteil am portfolio", "portfoliogewicht", "fondsanteil",
        "ponderation", "poids", "de l'actif net", "de l'actif", "actif net", "part", "du portefeuille", "du fonds",
        "poids dans le fonds", "poids dans le portefeuille", "repartition",
        "peso", "ponderazione", "del portafoglio", "del fondo", "del patrimonio netto", "quota",
        "peso nel portafoglio", "peso portafoglio",
        "ponderacion", "de la cartera", "del patrimonio", "peso en cartera", "peso en la cartera", "sobre patrimonio",
        "权重", "占比", "比例", "占净值比例", "占基金资产净值比例", "占净值比", "持仓占比", "仓位占比", "权重比例",
        "持仓比例", "比重", "占基金净值比例", "權重", "比重",
    ),
    "name": (
        "name", "security name", "security", "holding", "holding name", "holdings", "instrument", "position",
        "description", "company", "company name", "issuer", "issuer name", "instrument name", "asset",
        "asset name", "security description", "name of issuer", "constituent", "constituent name", "product",
        "stock", "stock name", "investment", "bond name", "title",
        "bezeichnung", "wertpapier", "wertpapiername", "wertpapierbezeichnung", "titel", "emittent",
        "instrumentname", "produkt", "name des wertpapiers", "unternehmen", "gesellschaft", "beschreibung",
        "nom", "libelle", "designation", "titre", "emetteur", "nom du titre", "instrument financier", "intitule",
        "nom de l'emetteur", "societe", "produit", "denomination",
        "nome", "titolo", "descrizione", "denominazione", "emittente", "strumento", "nome titolo", "prodotto",
        "societa", "nome del titolo",
        "nombre", "titulo", "descripcion", "denominacion", "emisor", "instrumento", "producto", "empresa",
        "nombre del valor", "nombre del titulo", "activo",
        "名称", "证券名称", "股票名称", "债券名称", "证券简称", "股票简称", "成份券名称", "成分券名称", "资产名称",
        "持仓名称", "名稱", "證券名稱", "股票名稱", "简称",
        "vardepapper/beskrivning", "vardepapper", "namn", "naam",
    ),
    "name_other": (
        "constituent name eng", "成份券英文名称", "英文名称", "reporting name", "short name", "long name",
    ),
    "isin": ("isin", "isin code", "isin number", "isin-code", "isin-nummer", "code isin", "codice isin",
             "codigo isin", "isin代码", "isin no"),
    "cusip": ("cusip", "cusip number", "cusip code", "security cusip"),
    "sedol": ("sedol", "sedol code", "sedol number"),
    "figi": ("figi", "bbg figi", "composite figi", "openfigi", "bloomberg figi"),
    "ticker": (
        "ticker", "ticker symbol", "symbol", "holding ticker", "stock ticker", "bloomberg ticker", "bticker",
        "issuer ticker", "trading symbol", "emittententicker", "kurzel", "borsenkurzel", "ticker de l'emetteur",
        "mnemonique", "simbolo", "simbolo ticker", "ticker dell'emittente", "ticker del emisor", "boersenkuerzel",
    ),
    "code": (
        "isin or ticker", "isin/ticker", "isin / ticker", "ticker or isin", "ticker/isin", "symbol/isin",
        "security identifier", "identifier", "symbol/cusip", "code", "security code", "security id", "id",
        "constituent code", "stock code", "wkn", "valor number", "valorennummer", "valoren", "kennnummer",
        "isin/wkn", "wkn/isin", "identifiant", "codice", "codigo", "identificativo", "identificador",
        "代码", "证券代码", "股票代码", "债券代码", "成份券代码", "成分券代码", "代號", "證券代碼", "代碼", "持仓代码",
    ),
    "asset_class": (
        "asset class", "assetclass", "asset type", "class of shares", "type", "security type", "instrument type",
        "asset category", "issue type name", "category", "asset group",
        "anlageklasse", "assetklasse", "anlageart", "wertpapierart", "wertpapiertyp", "gattung", "instrumentenart",
        "classe d'actifs", "classe d'actif", "categorie d'actif", "categorie", "type d'actif", "type d'instrument",
        "classe di attivo", "classe di attivita", "tipo di attivo", "tipologia", "tipo strumento", "categoria",
        "clase de activo", "clase de activos", "tipo de activo", "tipo de instrumento",
        "资产类别", "资产类型", "证券类型", "类别", "品种", "資產類別",
    ),
    "sector": (
        "sector", "gics sector", "sector name", "sector classification", "economic sector", "sectors",
        "industry sector", "sektor", "branche", "wirtschaftssektor", "secteur", "secteur d'activite", "settore",
        "sector economico", "行业", "所属行业", "行业名称", "行业分类", "產業", "行業",
    ),
    "sub_sector": (
        "gics sub industry", "gics sub-industry", "sub industry", "sub-industry", "industry", "industry classification",
        "gics industry", "industry group", "industrie", "industria", "icb level4 sector name", "icb sector",
        "icb level 4 sector name", "industriezweig",
    ),
    "market_value": (
        "market value", "marketvalue", "value", "market val", "base market value", "current value", "total value",
        "ending value", "end value", "fair value", "value base", "market value base", "position value", "val", "amount base",
        "market value amount", "balance",
        "marktwert", "kurswert", "wert", "aktueller wert", "gesamtwert", "depotwert", "verkehrswert", "gegenwert",
        "valeur de marche", "valeur", "valorisation", "valeur boursiere", "montant", "valeur totale", "evaluation",
        "valore di mercato", "controvalore", "valore", "valore attuale", "valore corrente", "valore totale",
        "valor de mercado", "valor", "valoracion", "valor actual", "valor total", "importe", "efectivo",
        "市值", "持仓市值", "公允价值", "总市值", "参考市值", "最新市值", "市值金额", "金额", "市場價值",
    ),
    "value_before": ("beginning value", "beginning market value", "previous value"),
    "value_local": ("local value", "valeur locale", "lokaler wert", "valore locale", "valor local"),
    "notional": ("notional value", "notional", "nominalwert", "valeur notionnelle", "valore nozionale",
                 "valor nocional", "名义价值"),
    "quantity": (
        "quantity", "shares", "shares/par value", "units", "shares held", "number of shares", "amount", "holding quantity",
        "par value", "stuck", "stuckzahl", "anzahl", "menge", "nominale", "bestand", "quantite", "nombre de titres",
        "quantita", "numero", "cantidad", "titulos", "participaciones", "acciones", "nominal", "pezzi",
        "数量", "持股数", "股数", "持仓数量", "持有数量", "份额", "股份数", "antal", "aantal",
    ),
    "price": (
        "price", "closing", "close", "last price", "market price", "local price", "closing price", "mark price", "kurs",
        "preis", "schlusskurs", "aktueller kurs", "cours", "prix", "cours de cloture", "dernier cours", "prezzo",
        "prezzo di mercato", "prezzo attuale", "precio", "cotizacion", "precio de mercado",
        "价格", "最新价", "收盘价", "现价", "市价", "價格",
    ),
    "currency": (
        "currency", "market currency", "local currency", "currency code", "ccy", "cur", "curr", "trading currency",
        "wahrung", "marktwahrung", "handelswahrung", "whg", "devise", "devise de cotation", "monnaie", "divisa",
        "valuta", "moneda", "币种", "货币", "交易币种", "貨幣", "幣別",
    ),
    "location": (
        "location", "country", "country of risk", "country name", "trade country name", "country of risk code", "domicile",
        "standort", "land", "pays", "emplacement", "localisation", "paese", "area geografica", "pais", "国家", "地区",
        "国家/地区", "headquarters location",
    ),
    "exchange": ("exchange", "stock exchange", "borse", "handelsplatz", "place de cotation", "bourse", "borsa", "bolsa",
                 "mercato", "交易所"),
    "fund_name": ("fund name", "fund", "index name", "index name eng", "fondsname", "nom du fonds", "nome del fondo",
                  "nombre del fondo", "指数名称", "指数英文名称", "基金名称"),
    "fund_ticker": ("fund ticker", "index code", "fund code", "指数代码", "基金代码"),
    "date": (
        "date", "as of", "as of date", "as-of date", "effective date", "holdings date", "report date", "trade date",
        "transaction date", "datum", "stichtag", "stand", "buchungstag", "handelsdatum", "valutadatum", "date d'operation",
        "date de valeur", "data", "data operazione", "data valuta", "data di riferimento", "fecha", "fecha operacion",
        "fecha de operacion", "fecha valor", "日期", "截止日期", "成交日期", "交易日期", "报告期",
    ),
    "cost": (
        "cost basis", "cost", "average cost", "purchase price", "book value", "avg cost", "unit cost", "cost price",
        "einstandskurs", "einstandswert", "kaufkurs", "einstandspreis", "prix de revient", "pru", "prix d'achat",
        "prezzo di carico", "prezzo medio", "prezzo medio di carico", "coste", "precio medio", "precio de compra", "成本价", "持仓成本",
        "成本", "买入价", "average price",
    ),
    "gain": (
        "gain/loss", "unrealized gain/loss", "unrealized p&l", "profit/loss", "p&l", "gain", "unrealised gain",
        "gewinn/verlust", "gewinn", "g/v", "plus-value", "+/- value", "plus/moins-value", "plus ou moins-value", "utile/perdita",
        "guadagno/perdita", "plusvalenza", "ganancia/perdida", "plusvalia", "盈亏", "浮动盈亏", "持仓盈亏",
    ),
    "account": ("account", "account number", "account name", "konto", "depot", "depotnummer", "kontonummer", "compte",
                "numero de compte", "conto", "cuenta", "账户", "账号", "portfolio"),
    "transaction": (
        "transaction type", "type of transaction", "transaction", "trade type", "action", "buy/sell", "activity type",
        "order type", "typ av transaktion", "transaktionstyp", "transaktionsart", "vorgang", "umsatzart", "buchungstext",
        "auftragsart", "type d'operation", "type de transaction", "operation", "sens", "tipo operazione", "tipo di operazione",
        "operazione", "causale", "tipo de operacion", "operacion", "tipo movimento", "tipo de movimiento",
        "交易类型", "业务类型", "买卖方向", "操作", "业务名称", "交易类别", "transactietype",
    ),
}  # fmt: skip

PERCENT: Final = (
    "%", "pct", "percent", "percentage", "per cent", "prozent", "pourcentage", "pour cent", "percentuale", "per cento",
    "porcentaje", "por ciento", "百分比", "％",
)  # fmt: skip
