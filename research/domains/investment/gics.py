"""GICS sub-industries and the sector each belongs to, with the structures that changed it.

A file that names sub-industries says the sector with them; which one depends on the structure of its date.

Source: MSCI and S&P, Global Industry Classification Standard, structures of 2018-09-28 and 2023-03-17.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

NEW_STRUCTURE_ON: Final = "2023-03-17"
_OLD_STRUCTURE_ON: Final = "2018-09-28"
_CUT_AT: Final = 40  # characters: some publishers cut a name there

_SUB_INDUSTRIES: Final = {
    "Energy": (
        "Oil & Gas Drilling|Oil & Gas Equipment & Services|Integrated Oil & Gas|"
        "Oil & Gas Exploration & Production|Oil & Gas Refining & Marketing|"
        "Oil & Gas Storage & Transportation|Coal & Consumable Fuels"
    ),
    "Materials": (
        "Commodity Chemicals|Diversified Chemicals|Fertilizers & Agricultural Chemicals|Industrial Gases|"
        "Specialty Chemicals|Construction Materials|Metal & Glass Containers|"
        "Metal, Glass & Plastic Containers|Paper Packaging|Paper & Plastic Packaging Products & Materials|"
        "Aluminum|Diversified Metals & Mining|Copper|Gold|Precious Metals & Minerals|Silver|Steel|"
        "Forest Products|Paper Products"
    ),
    "Industrials": (
        "Aerospace & Defense|Building Products|Construction & Engineering|Electrical Components & Equipment|"
        "Heavy Electrical Equipment|Industrial Conglomerates|Construction Machinery & Heavy Trucks|"
        "Construction Machinery & Heavy Transportation Equipment|Agricultural & Farm Machinery|"
        "Industrial Machinery|Industrial Machinery & Supplies & Components|Trading Companies & Distributors|"
        "Commercial Printing|Environmental & Facilities Services|Office Services & Supplies|"
        "Diversified Support Services|Security & Alarm Services|Human Resource & Employment Services|"
        "Research & Consulting Services|Air Freight & Logistics|Airlines|Passenger Airlines|Marine|"
        "Marine Transportation|Railroads|Rail Transportation|Trucking|Cargo Ground Transportation|"
        "Passenger Ground Transportation|Airport Services|Highways & Railtracks|Marine Ports & Services"
    ),
    "Consumer Discretionary": (
        "Auto Parts & Equipment|Automotive Parts & Equipment|Tires & Rubber|Automobile Manufacturers|"
        "Motorcycle Manufacturers|Consumer Electronics|Home Furnishings|Homebuilding|Household Appliances|"
        "Housewares & Specialties|Leisure Products|Apparel, Accessories & Luxury Goods|Footwear|Textiles|"
        "Casinos & Gaming|Hotels, Resorts & Cruise Lines|Leisure Facilities|Restaurants|Education Services|"
        "Specialized Consumer Services|Distributors|Internet & Direct Marketing Retail|Department Stores|"
        "General Merchandise Stores|Broadline Retail|Apparel Retail|Computer & Electronics Retail|"
        "Home Improvement Retail|Specialty Stores|Other Specialty Retail|Automotive Retail|"
        "Homefurnishing Retail"
    ),
    "Consumer Staples": (
        "Drug Retail|Food Distributors|Food Retail|Hypermarkets & Super Centers|"
        "Consumer Staples Merchandise Retail|Brewers|Distillers & Vintners|Soft Drinks|"
        "Soft Drinks & Non-alcoholic Beverages|Agricultural Products|Agricultural Products & Services|"
        "Packaged Foods & Meats|Tobacco|Household Products|Personal Products|Personal Care Products"
    ),
    "Health Care": (
        "Health Care Equipment|Health Care Supplies|Health Care Distributors|Health Care Services|"
        "Health Care Facilities|Managed Health Care|Health Care Technology|Biotechnology|Pharmaceuticals|"
        "Life Sciences Tools & Services"
    ),
    "Financials": (
        "Diversified Banks|Regional Banks|Thrifts & Mortgage Finance|Commercial & "
        "Residential Mortgage Finance|"
        "Other Diversified Financial Services|Diversified Financial Services|Multi-Sector Holdings|"
        "Specialized Finance|Transaction & Payment Processing Services|Consumer Finance|"
        "Asset Management & Custody Banks|Investment Banking & Brokerage|Diversified Capital Markets|"
        "Financial Exchanges & Data|Mortgage REITs|Insurance Brokers|Life & Health Insurance|"
        "Multi-line Insurance|Property & Casualty Insurance|Reinsurance"
    ),
    "Information Technology": (
        "IT Consulting & Other Services|Internet Services & Infrastructure|Application Software|"
        "Systems Software|Communications Equipment|Technology Hardware, Storage & Peripherals|"
        "Electronic Equipment & Instruments|Electronic Components|Electronic Manufacturing Services|"
        "Technology Distributors|Semiconductor Equipment|Semiconductor Materials & Equipment|Semiconductors"
    ),
    "Communication Services": (
        "Alternative Carriers|Integrated Telecommunication Services|Wireless Telecommunication Services|"
        "Advertising|Broadcasting|Cable & Satellite|Publishing|Movies & Entertainment|"
        "Interactive Home Entertainment|Interactive Media & Services"
    ),
    "Utilities": (
        "Electric Utilities|Gas Utilities|Multi-Utilities|Water Utilities|"
        "Independent Power Producers & Energy Traders|Renewable Electricity"
    ),
    "Real Estate": (
        "Diversified REITs|Industrial REITs|Hotel & Resort REITs|Office REITs|Health Care REITs|"
        "Residential REITs|Retail REITs|Specialized REITs|Multi-Family Residential REITs|"
        "Single-Family Residential REITs|Other Specialized REITs|Self-Storage REITs|Telecom Tower REITs|"
        "Timber REITs|Data Center REITs|Diversified Real Estate Activities|Real Estate Operating Companies|"
        "Real Estate Development|Real Estate Services"
    ),
}
_SECTORS: Final = {
    name.casefold(): sector
    for sector, names in _SUB_INDUSTRIES.items()
    for name in names.split("|")
}
_CUT: Final = {
    name[:_CUT_AT].rstrip(): sector for name, sector in _SECTORS.items() if len(name) > _CUT_AT
}
_MOVED: Final = (
    "data processing & outsourced services"  # to Industrials with the structure of 2023
)


@lru_cache(maxsize=4_096)
def sector_of_sub_industry(label: str, as_of: str) -> str:
    """Return the GICS sector of a sub-industry under the structure of a date, "" where it cannot be told."""
    name = label.casefold()
    if name == _MOVED:
        if not as_of[:1].isdigit():
            return ""
        return "Industrials" if as_of >= NEW_STRUCTURE_ON else "Information Technology"
    return _SECTORS.get(name) or (_CUT.get(name, "") if len(name) == _CUT_AT else "")


def structure_of(as_of: str) -> str:
    """Name the GICS structure that was in force on a date, "not stated" where there is no date."""
    if not as_of[:1].isdigit():
        return "not stated"
    if as_of >= NEW_STRUCTURE_ON:
        return f"structure of {NEW_STRUCTURE_ON}"
    if as_of >= _OLD_STRUCTURE_ON:
        return f"structure of {_OLD_STRUCTURE_ON}, before the changes of {NEW_STRUCTURE_ON}"
    return f"a structure before {_OLD_STRUCTURE_ON}"
