import type { CheckOutTexts } from '../texts.ts'

export const pt: CheckOutTexts = {
  insertCard: 'Introduza o seu cartão na ranhura, por favor.',
  whyReturn: 'A máquina fica com ele. Depois fazemos o seu check-out.',
  holdCard: 'Aproxime o seu cartão do leitor, por favor.',
  whyShow: 'Mostra que é mesmo o senhor ou a senhora que parte.',
  noCardCame: 'A máquina não tem nenhum cartão seu. Tente de novo ou pergunte na receção.',
  notYours: 'Não conseguimos ler um cartão do seu quarto. Tente de novo ou pergunte na receção.',
  putOther:
    'Ficámos com este cartão. Introduza também o primeiro cartão do seu quarto ou pergunte na receção.',
  tryAgain: 'Tentar de novo',
  noCard: 'Não tenho cartão',
  goodJourney: 'Obrigado pela sua estadia. Boa viagem!',
  isCheckedOut: 'O seu check-out está feito.',
  leaveCards: 'Deixe os seus cartões na receção, por favor.',
  anotherCard: 'Devolver outro cartão',
  noMoreCards: 'Não tenho mais cartões',
}
