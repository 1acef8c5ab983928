import { terminalPayment } from '../reservation/resources/terminal-payment.ts'
import { paymentTerminal } from './payment-terminal.ts'

/** The resources of payment terminals. */
export const terminalResources = [paymentTerminal, terminalPayment]
