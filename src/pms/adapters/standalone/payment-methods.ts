import { ratePlan } from '../../../reservation/resources/rate-plan.ts'
import { service } from '../../../reservation/resources/service.ts'
import { paymentBrands } from '../../../reservation/values/payment-brand.ts'
import type { AdapterSetup, ExtensionRequest } from '../../contract.ts'
import { all } from './lists.ts'
import { parametersOf } from './parameters.ts'

type Kind =
  | 'cash'
  | 'card'
  | 'wallet'
  | 'bank'
  | 'invoice'
  | 'voucher'
  | 'points'
  | 'cheque'
  | 'channel'
  | 'other'

/** The kind of each brand; `channel`: the guest has paid the channel through which he booked. */
const kinds: Record<(typeof paymentBrands)[number], Kind> = {
  Cash: 'cash',
  Visa: 'card',
  VisaDebit: 'card',
  MasterCard: 'card',
  MasterCardDebit: 'card',
  Maestro: 'card',
  VPay: 'card',
  Amex: 'card',
  Diners: 'card',
  Discover: 'card',
  Jcb: 'card',
  UnionPay: 'card',
  GiroCard: 'card',
  Bancontact: 'card',
  IDeal: 'bank',
  Twint: 'wallet',
  PostFinance: 'card',
  Reka: 'card',
  PayPal: 'wallet',
  ApplePay: 'wallet',
  GooglePay: 'wallet',
  SepaDirectDebit: 'bank',
  BankTransfer: 'bank',
  Invoice: 'invoice',
  Voucher: 'voucher',
  GiftCard: 'voucher',
  LoyaltyPoints: 'points',
  Cheque: 'cheque',
  BookingCom: 'channel',
  Airbnb: 'channel',
  Expedia: 'channel',
  Other: 'other',
}

/** GET payment-methods: an array of `{brand, kind, currencies}`; the currencies are those of the services and rate plans. */
export function paymentMethods({ appliance: { reader } }: AdapterSetup, request: ExtensionRequest) {
  parametersOf(request, [])
  const priced = [
    ...all(reader, service).map(({ currencyCode }) => currencyCode),
    ...all(reader, ratePlan).flatMap(({ currency }) => currency ?? []),
  ]
  const currencies = [...new Set(priced)].sort()
  return paymentBrands.map((brand) => ({ brand, kind: kinds[brand], currencies }))
}
