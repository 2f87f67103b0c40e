package scenario

import (
	"io"
	"net/http"
	"sync"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/client-go/rest"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/scheme"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// Config is for client-go's clients, over the HTTP client that they are given.
func Config(l *lab.Lab) *rest.Config { return &rest.Config{Host: l.Server.String(), QPS: -1} }

// Typed makes client-go's REST client for one group version. What it knows of Go types is in this chapter's Scheme.
func Typed(l *lab.Lab, client *http.Client, s *scheme.Scheme, gv schema.GroupVersion) (*rest.RESTClient, error) {
	config := Config(l)
	config.APIPath, config.GroupVersion = "/apis", &gv
	config.NegotiatedSerializer = jsonOf{s}
	return rest.RESTClientForConfigAndClient(config, client)
}

// jsonOf implements runtime.NegotiatedSerializer: JSON, of the types that a Scheme knows.
type jsonOf struct{ scheme *scheme.Scheme }

// SupportedMediaTypes implements runtime.NegotiatedSerializer.
func (j jsonOf) SupportedMediaTypes() []runtime.SerializerInfo {
	serializer := json.NewSerializerWithOptions(json.DefaultMetaFactory, j.scheme, j.scheme, json.SerializerOptions{})
	return []runtime.SerializerInfo{{MediaType: runtime.ContentTypeJSON, MediaTypeType: "application",
		MediaTypeSubType: "json", EncodesAsText: true, Serializer: serializer}}
}

// EncoderForVersion implements runtime.NegotiatedSerializer. The encoder writes an object's apiVersion and kind, which
// the Scheme knows and the object need not.
func (j jsonOf) EncoderForVersion(encoder runtime.Encoder, gv runtime.GroupVersioner) runtime.Encoder {
	return runtime.WithVersionEncoder{Version: gv, Encoder: encoder, ObjectTyper: j.scheme}
}

// DecoderToVersion implements runtime.NegotiatedSerializer.
func (j jsonOf) DecoderToVersion(decoder runtime.Decoder, _ runtime.GroupVersioner) runtime.Decoder {
	return decoder
}

// Counter is a transport that counts requests and the bytes of their answers.
type Counter struct {
	next http.RoundTripper

	lock     sync.Mutex // guards what follows
	requests int
	accept   string // of the last request
	bytes    int
}

// NewCounter counts what goes over a client.
func NewCounter(client *http.Client) (*Counter, *http.Client) {
	counter := &Counter{next: client.Transport}
	counted := *client
	counted.Transport = counter
	return counter, &counted
}

// RoundTrip implements http.RoundTripper.
func (c *Counter) RoundTrip(r *http.Request) (*http.Response, error) {
	c.lock.Lock()
	c.requests, c.accept = c.requests+1, r.Header.Get("Accept")
	c.lock.Unlock()
	response, err := c.next.RoundTrip(r)
	if err == nil {
		response.Body = &countedBody{response.Body, c}
	}
	return response, err
}

// Requests is how many there were.
func (c *Counter) Requests() int {
	c.lock.Lock()
	defer c.lock.Unlock()
	return c.requests
}

// Accept is what the last request said that it takes.
func (c *Counter) Accept() string {
	c.lock.Lock()
	defer c.lock.Unlock()
	return c.accept
}

// Bytes is how many bytes of answers were read.
func (c *Counter) Bytes() int {
	c.lock.Lock()
	defer c.lock.Unlock()
	return c.bytes
}

// countedBody is the body of an answer.
type countedBody struct {
	io.ReadCloser
	counter *Counter
}

// Read implements io.Reader.
func (b *countedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.counter.lock.Lock()
	b.counter.bytes += n
	b.counter.lock.Unlock()
	return n, err
}
