/**
 * The members of a lock that are shown. The cloud's list also contains secrets that open the lock: the data for its
 * Bluetooth (`lockData`), and in older versions the administrator's PIN. A member that is not named here is left out.
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

/** The locks of an account: the name that its owner gave each lock, and its code. */
export function lockUnits(rows: readonly Record<string, unknown>[]): { name: string; code: string }[] {
  return rows.map(({ lockAlias, lockName, lockId }) => ({
    name: String(lockAlias || lockName || lockId),
    code: String(lockId),
  }))
}

/** The locks of an account as JSON, with the cloud's own member names. */
export function lockList(rows: readonly Record<string, unknown>[]): string {
  const list = rows.map((row) =>
    Object.fromEntries(shown.flatMap((name) => (name in row ? [[name, row[name]]] : []))),
  )
  return JSON.stringify({ list, total: list.length })
}
