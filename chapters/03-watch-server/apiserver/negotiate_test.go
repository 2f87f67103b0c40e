package apiserver

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestNegotiate is a table of what clients send. That the real server reads it in the same way is
// TestAcceptIsReadAsUpstreamReadsIt in claims.
func TestNegotiate(t *testing.T) {
	const json, protobuf, none = "application/json", "application/vnd.kubernetes.protobuf", ""
	const table = ";as=Table;v=v1;g=meta.k8s.io"
	both := ConfigMaps.encodings()
	for _, c := range []struct{ accept, want string }{
		{"", json},
		{"*/*", json}, // curl
		{"*", none},
		{"application/*", none},
		{"application/*, " + protobuf + ";q=0", json},
		{"text/html, */*", json},
		{json, json},
		{protobuf, protobuf},
		{"text/html", none},
		{"application/yaml", none},
		{"application", none},
		{",;=,", none},
		{protobuf + "," + json, protobuf}, // client-go's clientset
		{protobuf + ", */*", protobuf},    // client-go, told to use protobuf
		{json + ", " + protobuf, json},
		{json + ";q=0.5, " + protobuf, protobuf}, // the greater weight
		{json + ";q=0.5, " + protobuf + ";q=0.4", json},
		{"*/*, " + protobuf, protobuf}, // fewer stars
		{"*/*, application/*, " + protobuf, protobuf},
		{json + "; q=often, " + protobuf + ";q=0.1", protobuf}, // a weight that is none is 0
		{json + ";q=0", json},                                  // and 0 is no refusal
		{json + table, none},
		{json + table + "," + json, json}, // kubectl get
		{protobuf + ";as=PartialObjectMetadata;v=v1;g=meta.k8s.io," + json, json}, // client-go's metadata
		{protobuf + ";stream=watch", protobuf},
		{protobuf + ";stream=other", none},
		{json + ";charset=utf-8", json}, // what nobody knows is not asked for
	} {
		got, err := negotiate(c.accept, both)
		assert.Equal(t, c.want, got, c.accept)
		if c.want == none {
			assert.ErrorContains(t, err, "only the following media types are accepted: "+json+", "+protobuf, c.accept)
		} else {
			assert.NoError(t, err, c.accept)
		}
	}
	custom := Resource{Group: "example.com", Version: "v1", Plural: "widgets", Kind: "Widget"}.encodings()
	got, err := negotiate(protobuf+","+json, custom)
	assert.NoError(t, err)
	assert.Equal(t, json, got, "without Go types there is no protobuf")
	_, err = negotiate(protobuf, custom)
	assert.ErrorContains(t, err, "accepted: "+json)
}
