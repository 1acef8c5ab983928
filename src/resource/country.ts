/** The countries of ISO 3166-1 of 2026-01-01: the two letters of each, and its three letters. */
const assigned =
  'ADAND AEARE AFAFG AGATG AIAIA ALALB AMARM AOAGO AQATA ARARG ASASM ATAUT AUAUS AWABW AXALA AZAZE BABIH BBBRB ' +
  'BDBGD BEBEL BFBFA BGBGR BHBHR BIBDI BJBEN BLBLM BMBMU BNBRN BOBOL BQBES BRBRA BSBHS BTBTN BVBVT BWBWA BYBLR ' +
  'BZBLZ CACAN CCCCK CDCOD CFCAF CGCOG CHCHE CICIV CKCOK CLCHL CMCMR CNCHN COCOL CRCRI CUCUB CVCPV CWCUW CXCXR ' +
  'CYCYP CZCZE DEDEU DJDJI DKDNK DMDMA DODOM DZDZA ECECU EEEST EGEGY EHESH ERERI ESESP ETETH FIFIN FJFJI FKFLK ' +
  'FMFSM FOFRO FRFRA GAGAB GBGBR GDGRD GEGEO GFGUF GGGGY GHGHA GIGIB GLGRL GMGMB GNGIN GPGLP GQGNQ GRGRC GSSGS ' +
  'GTGTM GUGUM GWGNB GYGUY HKHKG HMHMD HNHND HRHRV HTHTI HUHUN IDIDN IEIRL ILISR IMIMN ININD IOIOT IQIRQ IRIRN ' +
  'ISISL ITITA JEJEY JMJAM JOJOR JPJPN KEKEN KGKGZ KHKHM KIKIR KMCOM KNKNA KPPRK KRKOR KWKWT KYCYM KZKAZ LALAO ' +
  'LBLBN LCLCA LILIE LKLKA LRLBR LSLSO LTLTU LULUX LVLVA LYLBY MAMAR MCMCO MDMDA MEMNE MFMAF MGMDG MHMHL MKMKD ' +
  'MLMLI MMMMR MNMNG MOMAC MPMNP MQMTQ MRMRT MSMSR MTMLT MUMUS MVMDV MWMWI MXMEX MYMYS MZMOZ NANAM NCNCL NENER ' +
  'NFNFK NGNGA NINIC NLNLD NONOR NPNPL NRNRU NUNIU NZNZL OMOMN PAPAN PEPER PFPYF PGPNG PHPHL PKPAK PLPOL PMSPM ' +
  'PNPCN PRPRI PSPSE PTPRT PWPLW PYPRY QAQAT REREU ROROU RSSRB RURUS RWRWA SASAU SBSLB SCSYC SDSDN SESWE SGSGP ' +
  'SHSHN SISVN SJSJM SKSVK SLSLE SMSMR SNSEN SOSOM SRSUR SSSSD STSTP SVSLV SXSXM SYSYR SZSWZ TCTCA TDTCD TFATF ' +
  'TGTGO THTHA TJTJK TKTKL TLTLS TMTKM TNTUN TOTON TRTUR TTTTO TVTUV TWTWN TZTZA UAUKR UGUGA UMUMI USUSA UYURY ' +
  'UZUZB VAVAT VCVCT VEVEN VGVGB VIVIR VNVNM VUVUT WFWLF WSWSM YEYEM YTMYT ZAZAF ZMZMB ZWZWE'

const pairs = assigned.split(' ').map((each) => [each.slice(0, 2), each.slice(2)] as const)

/** Codes that stand for one other country today, by ISO 3166-3 and by use: UK and EL are the ones of the European Union. */
const successors: Readonly<Record<string, string>> = {
  BU: 'MM',
  CT: 'KI',
  DD: 'DE',
  DY: 'BJ',
  EL: 'GR',
  FX: 'FR',
  HV: 'BF',
  NH: 'VU',
  RH: 'ZW',
  TP: 'TL',
  UK: 'GB',
  VD: 'VN',
  YD: 'YE',
  ZR: 'CD',
}

/** Kosovo has no code in ISO 3166-1. Passports, hotels and PMSs use this one, which the standard leaves to its users. */
const kosovo = ['XK', 'XKX'] as const

/** The alpha-2 codes of ISO 3166-1, in alphabetical order: 249. They are upper case. */
export const countries: readonly string[] = pairs.map(([alpha2]) => alpha2)

const current = new Set([...countries, kosovo[0]])
const byAlpha3 = new Map<string, string>([
  ...pairs.map(([alpha2, alpha3]) => [alpha3, alpha2] as const),
  [kosovo[1], kosovo[0]],
])

/** Whether a new value may have this code: an alpha-2 code of ISO 3166-1 in upper case, or XK for Kosovo. */
export function isCountry(code: string): boolean {
  return current.has(code)
}

/** Returns the alpha-2 code of an upper-case alpha-3 code of ISO 3166-1, such as PT of PRT, and XK of XKX; null for any other text. */
export function alpha2Of(alpha3: string): string | null {
  return byAlpha3.get(alpha3) ?? null
}

/**
 * Returns the present country of a code that another system uses: alpha-2 or alpha-3 in any case, or a former code with one
 * successor, such as GB of UK, gbr and GB. Null for any other text, such as SU, whose territory has several codes.
 */
export function presentCountry(code: string): string | null {
  const text = code.trim().toUpperCase()
  if (isCountry(text)) return text
  return alpha2Of(text) ?? (Object.hasOwn(successors, text) ? successors[text]! : null)
}
