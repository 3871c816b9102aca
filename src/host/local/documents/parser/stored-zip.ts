/** A zip whose parts are not packed, for parsers that want one: nothing in it can grow, lie or lead elsewhere. */
import { crc32 } from 'node:zlib';

const UTF8_NAMES = 0x0800;

/** Writes the parts as one zip. */
export function storedZip(parts: ReadonlyMap<string, Buffer>): Buffer {
  const chunks: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of parts) {
    const fields = fieldsOf(Buffer.from(name), content);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), fields.shared, fields.name]);
    chunks.push(local, content);
    directory.push(centralRecord(fields, offset));
    offset += local.length + content.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(directory.length, 8);
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...chunks, central, end]);
}

interface Fields {
  readonly name: Buffer;
  /** What the record before the content and the one in the directory have in common. */
  readonly shared: Buffer;
}

function fieldsOf(name: Buffer, content: Buffer): Fields {
  const shared = Buffer.alloc(26);
  shared.writeUInt16LE(20, 0);
  shared.writeUInt16LE(UTF8_NAMES, 2);
  shared.writeUInt32LE(crc32(content), 10);
  shared.writeUInt32LE(content.length, 14);
  shared.writeUInt32LE(content.length, 18);
  shared.writeUInt16LE(name.length, 22);
  return { name, shared };
}

function centralRecord({ name, shared }: Fields, offset: number): Buffer {
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE(offset, 10);
  return Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), shared, rest, name]);
}
