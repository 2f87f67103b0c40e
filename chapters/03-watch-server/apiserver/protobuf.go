package apiserver

import (
	"bytes"
	"encoding/json"
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// inProtobuf is a response whose handler writes JSON, and whose client reads protobuf. Each line is translated when it
// is whole, for it is a whole document: an object, a list, a Status, or an event of a stream.
//
// Upstream keeps Go values, and encodes them once for each encoding. Here the JSON of a write is kept, and protobuf is
// made of it for each client that asks.
type inProtobuf struct {
	http.ResponseWriter
	server *Server
	stream bool // lines are events

	line bytes.Buffer // what is written of a line that is not whole
	code int          // of the header
	sent bool         // the header is
}

// WriteHeader keeps the header back until there is something to send: what can't be translated is an error.
func (p *inProtobuf) WriteHeader(code int) { p.code = code }

// Write sends a line when it is whole.
func (p *inProtobuf) Write(part []byte) (int, error) {
	p.line.Write(part)
	if !bytes.HasSuffix(part, []byte("\n")) {
		return len(part), nil
	}
	defer p.line.Reset()
	translate := p.server.documentInProtobuf
	if p.stream {
		translate = p.server.eventInProtobuf
	}
	encoded, err := translate(p.line.Bytes())
	if err == nil {
		p.sendHeader()
		_, err = p.ResponseWriter.Write(encoded)
	} else if !p.sent {
		p.sent = true
		writeError(p.ResponseWriter, Resource{}, "", err)
	}
	return len(part), err
}

// FlushError is called by [http.ResponseController.Flush]. The header of a stream goes before its first line.
func (p *inProtobuf) FlushError() error {
	p.sendHeader()
	return http.NewResponseController(p.ResponseWriter).Flush()
}

// Unwrap leads [http.ResponseController] to what this response has no methods for: the deadlines.
func (p *inProtobuf) Unwrap() http.ResponseWriter { return p.ResponseWriter }

func (p *inProtobuf) sendHeader() {
	if p.sent {
		return
	}
	p.sent = true
	media := runtime.ContentTypeProtobuf
	if p.stream {
		media += ";stream=watch"
	}
	p.Header().Set("Content-Type", media)
	p.ResponseWriter.WriteHeader(p.code)
}

// documentInProtobuf translates an object, a list or a Status by the Go type of its kind. Four bytes in front and an
// envelope say what it is.
func (s *Server) documentInProtobuf(line []byte) ([]byte, error) {
	typed, _, err := s.codecs.UniversalDeserializer().Decode(line, nil, nil)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = s.protobuf.Serializer.Encode(typed, &out)
	return out.Bytes(), err
}

// eventInProtobuf translates an event of a stream. It has neither the bytes in front nor an envelope, for its object
// has both; its length stands before it, as no byte can end it.
func (s *Server) eventInProtobuf(line []byte) ([]byte, error) {
	var event metav1.WatchEvent
	err := json.Unmarshal(line, &event)
	if err != nil {
		return nil, err
	}
	if event.Object.Raw, err = s.documentInProtobuf(event.Object.Raw); err != nil {
		return nil, err
	}
	encoded, err := event.Marshal()
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	_, err = s.protobuf.StreamSerializer.Framer.NewFrameWriter(&out).Write(encoded)
	return out.Bytes(), err
}
