import type { AccessHouse } from './access-house.ts'
import type { Row } from './row.ts'
import { accessUnitRows } from './rows-of-access-units.ts'
import { deviceListRows } from './rows-of-device-lists.ts'
import { dispenserRows } from './rows-of-dispensers.ts'
import { keyItemRows } from './rows-of-key-items.ts'
import { keyListRows } from './rows-of-key-lists.ts'
import { keyRows } from './rows-of-keys.ts'
import { lockProviderRows } from './rows-of-lock-providers.ts'

/** Each code of each operation of the access interface, with the request that provokes it. */
export const accessRows: readonly Row<AccessHouse>[] = [
  ...lockProviderRows,
  ...accessUnitRows,
  ...keyRows,
  ...keyItemRows,
  ...keyListRows,
  ...dispenserRows,
  ...deviceListRows,
]
