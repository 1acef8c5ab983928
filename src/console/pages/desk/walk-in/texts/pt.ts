import { plural } from '../../../lib/format.ts'
import type { WalkInTexts } from '../texts.ts'

export const pt: WalkInTexts = {
  title: 'Sem reserva',
  local: 'Venda com os dados da casa: pode faltar o que o PMS vendeu entretanto.',
  from: (date) => `A partir de hoje, ${date}`,
  until: 'Saída',
  nights: (count) => plural(count, { one: '1 noite', other: `${count} noites` }),
  badDates: 'A saída tem de ser depois de hoje.',
  adults: 'Adultos',
  children: 'Crianças',
  type: 'Tipo de quarto',
  left: (count) => plural(count, { one: 'resta 1', other: `restam ${count}` }),
  soldOut: 'esgotado',
  aNight: (price) => `${price} por noite`,
  allSoldOut: 'Esgotado para estas noites. Tente outra saída.',
  tooMany: (most) => `para ${most} no máximo`,
  lastName: 'Apelido',
  firstName: 'Nome',
  nameNeeded: 'Escreva o apelido. Um nome único também se escreve aqui.',
  room: 'Quarto',
  gone: 'Alguém foi mais rápido: este quarto está ocupado. Escolha outro.',
  noRoom: 'Nenhum quarto deste tipo está livre.',
  price: (currency) => `Preço da estadia (${currency})`,
  priceHint: 'Como este tipo foi vendido da última vez. Mude-o se não estiver certo.',
  pay: 'Pago com',
  later: 'Pagar mais tarde',
  refused:
    'Alguém foi mais rápido, ou a casa não o permite. O que escreveu fica: escolha outro quarto ou outro tipo.',
  book: 'Reservar, registar, fazer o cartão',
  bookOnly: 'Reservar e registar',
  clear: 'Esvaziar o formulário',
}
