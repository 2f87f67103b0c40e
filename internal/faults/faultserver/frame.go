package faultserver

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"math"
)

// The kinds of WebSocket frames that a watch has (RFC 6455, section 5.2).
const (
	textFrame  = 0x1
	closeFrame = 0x8
	pingFrame  = 0x9
	pongFrame  = 0xA
)

// normalClosure is what kube-apiserver's last frame says, whatever ended the watch.
var normalClosure = binary.BigEndian.AppendUint16(nil, 1000)

// errNoFrame is what no client may send. It ends the connection.
var errNoFrame = errors.New("no frame of a WebSocket's client")

// frameHead stands before so many bytes of a server's: a message in one frame, unmasked.
func frameHead(kind byte, length int) []byte {
	head := []byte{0x80 | kind}
	switch {
	case length < 126:
		return append(head, byte(length))
	case length <= math.MaxUint16:
		return binary.BigEndian.AppendUint16(append(head, 126), uint16(length))
	}
	return binary.BigEndian.AppendUint64(append(head, 127), uint64(length))
}

// readFrame reads a client's frame. What a control frame says is returned; a message of the client's is skipped, as
// kube-apiserver skips it: a watch has no use for one.
func readFrame(r *bufio.Reader) (kind byte, said []byte, err error) {
	var head struct{ Kind, Length byte }
	if err := binary.Read(r, binary.BigEndian, &head); err != nil {
		return 0, nil, err
	}
	kind = head.Kind & 0x0F
	control, masked := kind&0x08 != 0, head.Length&0x80 != 0
	length := int64(head.Length & 0x7F)
	if !masked || control && length > 125 {
		return 0, nil, errNoFrame
	}
	switch length {
	case 126:
		var n uint16
		err = binary.Read(r, binary.BigEndian, &n)
		length = int64(n)
	case 127:
		err = binary.Read(r, binary.BigEndian, &length)
	}
	var mask [4]byte
	if err == nil {
		_, err = io.ReadFull(r, mask[:])
	}
	switch {
	case err != nil:
		return 0, nil, err
	case length < 0:
		return 0, nil, errNoFrame
	case !control:
		_, err = io.CopyN(io.Discard, r, length)
		return kind, nil, err
	}
	said = make([]byte, length)
	_, err = io.ReadFull(r, said)
	for i := range said {
		said[i] ^= mask[i%len(mask)]
	}
	return kind, said, err
}
