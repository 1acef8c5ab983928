import { account } from '../accounts/account.ts'
import { accountCommands } from '../accounts/account-commands.ts'
import { formerActor } from '../former-actor.ts'
import { confirmRight } from '../rights/made-rights.ts'
import { rightToConfirm } from '../rights/right-to-confirm.ts'
import { session } from './session.ts'
import { sessionCommands } from './session-commands.ts'
import { station } from './station.ts'
import { stationCommands } from './station-commands.ts'

/** The resources of accounts, stations and sessions. A resource comes before the resources that refer to it. */
export const staffResources = [account, station, session, formerActor, rightToConfirm]

/** The commands of accounts, stations and sessions. */
export const staffCommands = [confirmRight, ...accountCommands, ...stationCommands, ...sessionCommands]
