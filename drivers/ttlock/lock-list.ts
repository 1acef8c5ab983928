/**
 * What of a lock is shown. The list also holds what opens it: the data for its Bluetooth (`lockData`), and in older
 * versions the administrator's own PIN. None of that leaves the driver, so what is not named here is left out.
 */
const shown: readonly string[] = [
  'lockId',
  'lockName',
  'lockAlias',
  'lockMac',
  'electricQuantity',
  'electricQuantityUpdateDate',
  'hasGateway',
  'featureValue',
  'specialValue',
  'modelNum',
  'firmwareRevision',
  'hardwareRevision',
  'keyboardPwdVersion',
  'timezoneRawOffset',
  'groupId',
  'groupName',
  'buildingName',
  'buildingNumber',
  'floorName',
  'floorNumber',
  'date',
]

/** What keys are made for: each lock by the name its owner gave it. */
export function lockUnits(rows: readonly Record<string, unknown>[]): { name: string; code: string }[] {
  return rows.map(({ lockAlias, lockName, lockId }) => ({
    name: String(lockAlias || lockName || lockId),
    code: String(lockId),
  }))
}

/** The locks of an account in the cloud's own words, as one list. */
export function lockList(rows: readonly Record<string, unknown>[]): string {
  const list = rows.map((row) =>
    Object.fromEntries(shown.flatMap((name) => (name in row ? [[name, row[name]]] : []))),
  )
  return JSON.stringify({ list, total: list.length })
}
