import type { RecoveryTexts } from '../texts.ts'

export const pt: RecoveryTexts = {
  title: 'Folha de recuperação',
  none: 'Não há folha de recuperação, por isso não se faz nenhuma cópia. Se a caixa se perder, perde-se tudo o que contém. Faça a folha agora; são dois minutos.',
  otherKey:
    'As cópias estão cifradas com uma chave feita na linha de comandos. Uma folha de palavras é uma segunda forma de as abrir.',
  keptAt: (at) =>
    `A folha de recuperação de ${at} abre todas as cópias desde então. Guarde-a como a chave-mestra.`,
  make: 'Fazer a folha de recuperação',
  makeAnother: 'Fazer outra folha',
  sheetOf: (hotel) => `Folha de recuperação ${hotel}`.trim(),
  what: (at) =>
    `Feita em ${at}. Quem tiver estas 24 palavras pode abrir todas as cópias deste hotel. A caixa não as tem.`,
  how: 'Se a caixa se perder: abra a página da caixa nova, escolha «Restaurar uma cópia de segurança» e escreva as palavras por esta ordem. Guarde uma folha no cofre e outra noutro edifício.',
  print: 'Imprimir',
  save: 'Guardar como ficheiro',
  next: 'Tenho-a em papel',
  onlyHere: 'As palavras só aparecem aqui e nunca mais. A folha conta quando tiver escrito algumas delas.',
  typeBack: 'Leia estas palavras no papel. Bastam as quatro primeiras letras.',
  word: (number) => `Palavra ${number}`,
  confirm: 'Esta folha conta',
  showAgain: 'Mostrar as palavras outra vez',
}
