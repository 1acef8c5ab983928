import type { MoneyTexts } from '../texts.ts'

export const pt: MoneyTexts = {
  payFirst: 'Receba o pagamento antes de o hóspede sair.',
  mayNotRecord: 'A sua função não regista este pagamento. Pergunte a quem o possa fazer.',
  howToPay: 'Pago com',
  howToGive: 'Devolvido com',
  leaveOpen: 'Deixar em aberto',
  later: 'Devolver mais tarde',
  whyOpen: 'Porque fica em aberto?',
  whyHint: 'Pelo menos três letras. O motivo é escrito no comentário da estadia.',
  endsAs: {
    NoShow: 'O hóspede não veio. O quarto fica livre e as chaves da estadia terminam.',
    Canceled: 'A estadia é cancelada e o seu quarto fica livre.',
  },
  feeMay:
    'Pode ser devida uma taxa segundo as condições da reserva: a caixa fixa-a agora, e a ficha mostra-a.',
  feeNow: (sum) => `Segundo as condições da reserva, é agora devida uma taxa de ${sum}.`,
  noFee: 'Segundo as condições da reserva, não é agora devida nenhuma taxa.',
  whyEnded: 'Motivo',
  takeAndGo: (sum) => `Receber ${sum} e fazer o check-out`,
  takePart: (sum) => `Receber ${sum}`,
  giveAndGo: (sum) => `Devolver ${sum} e fazer o check-out`,
  givePart: (sum) => `Devolver ${sum}`,
  leaveAndGo: (sum) => `Deixar ${sum} em aberto e fazer o check-out`,
  leftOpen: (sum, reason) => `${sum} em aberto no check-out: ${reason}`,
  nothingDone: 'Não foi registado dinheiro e o hóspede não fez o check-out.',
  notOut: 'O hóspede ainda não fez o check-out',
  goOn: 'Continue o check-out: o que está registado não é registado outra vez.',
  giveBackTitle: 'Devolver um pagamento',
  left: (sum) => `Deste pagamento podem ser devolvidos ${sum}. A estadia volta a dever esse valor.`,
  whyGiven: 'Porque é devolvido?',
}
