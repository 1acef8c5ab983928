import { accountCommands } from '../accounts/account-commands.ts'
import { account } from '../resources/account.ts'
import { formerActor } from '../resources/former-actor.ts'
import { session } from '../resources/session.ts'
import { station } from '../resources/station.ts'
import { confirmRight } from '../rights/made-rights.ts'
import { rightToConfirm } from '../rights/right-to-confirm.ts'
import { sessionCommands } from '../sessions/session-commands.ts'
import { stationCommands } from './station-commands.ts'

/** The resources of accounts, stations and sessions. A resource comes before the resources that refer to it. */
export const staffResources = [account, station, session, formerActor, rightToConfirm]

/** The commands of accounts, stations and sessions. */
export const staffCommands = [confirmRight, ...accountCommands, ...stationCommands, ...sessionCommands]
