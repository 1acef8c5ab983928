import crt571Antenna from '../../drivers/crt571/antenna-driver.ts'
import crt571 from '../../drivers/crt571/driver.ts'
import fias from '../../drivers/fias/driver.ts'
import { fiasGuests } from '../../drivers/fias/guest-link.ts'
import { fiasService } from '../../drivers/fias/service.ts'
import hkr1 from '../../drivers/hkr1/driver.ts'
import ifd510 from '../../drivers/ifd510/driver.ts'
import industryStandard from '../../drivers/industry-standard/driver.ts'
import k720 from '../../drivers/k720/driver.ts'
import payline from '../../drivers/payline/driver.ts'
import ttlock from '../../drivers/ttlock/driver.ts'
import twn4 from '../../drivers/twn4/driver.ts'
import type { Driver, LockDriver } from '../devices/driver.ts'
import type { KeyServiceDriver } from '../devices/key-service.ts'
import type { GuestLinkDriver } from '../devices/network/guest-link.ts'
import type { TerminalDriver } from '../devices/payment-terminal.ts'

/** The device drivers of this build. */
export const drivers: readonly Driver[] = [crt571, k720, twn4, ifd510, crt571Antenna]
export const lockDrivers: readonly LockDriver[] = [hkr1, fias, ttlock, industryStandard]
/** The drivers by which an external PMS orders keys. */
export const keyServiceDrivers: readonly KeyServiceDriver[] = [fiasService]
/** The drivers by which a PMS sends its guests over a line of its own. */
export const guestLinks = { fias: fiasGuests } satisfies Record<string, GuestLinkDriver>
/** The drivers of payment terminals. */
export const terminalDrivers: readonly TerminalDriver[] = [payline]
