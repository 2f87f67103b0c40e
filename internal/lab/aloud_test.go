package lab

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// sent is a transport that keeps what was sent.
type sent []string

func (s *sent) RoundTrip(r *http.Request) (*http.Response, error) {
	body := ""
	if r.Body != nil {
		raw, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		body = " " + string(raw)
	}
	*s = append(*s, r.Method+" "+r.URL.RequestURI()+strings.TrimRight(body, " "))
	return &http.Response{StatusCode: 200, Body: http.NoBody, Request: r}, nil
}

// What is shown is what was sent: the query whole, the body, the headers that are asked for and no credentials. The way
// into a namespace is shown once.
func TestARequestIsShownAsItWasSent(t *testing.T) {
	var out strings.Builder
	var went sent
	client := NewNarrator(&out, nil).Aloud(&http.Client{Transport: &went}, "Accept")
	const maps = "http://server/api/v1/namespaces/scratch-01-abc/configmaps"
	send := func(method, url string, body any) {
		t.Helper()
		_, err := MustSendJSON(t.Context(), client, method, url, body)
		require.NoError(t, err)
	}
	send("GET", maps, nil)
	send("GET", maps+"?watch=true&labelSelector=drink%3Dtea", nil)
	send("PATCH", maps+"/black", map[string]any{"data": map[string]string{"cups": "2"}})
	send("DELETE", "http://server/apis/apps/v1/namespaces/scratch-01-abc/deployments/a", nil)
	send("GET", "http://server/api/v1/namespaces/scratch-01-abc", nil)
	require.Equal(t, `   > GET /api/v1/namespaces/scratch-01-abc/configmaps
       Accept: 
   > GET .../configmaps?watch=true&labelSelector=drink%3Dtea
       Accept: 
   > PATCH .../configmaps/black {"data":{"cups":"2"}}
       Accept: 
   > DELETE /apis/apps/v1/namespaces/scratch-01-abc/deployments/a
       Accept: 
   > GET /api/v1/namespaces/scratch-01-abc
       Accept: 
`, out.String())
	require.Equal(t, sent{
		"GET /api/v1/namespaces/scratch-01-abc/configmaps",
		"GET /api/v1/namespaces/scratch-01-abc/configmaps?watch=true&labelSelector=drink%3Dtea",
		`PATCH /api/v1/namespaces/scratch-01-abc/configmaps/black {"data":{"cups":"2"}}`,
		"DELETE /apis/apps/v1/namespaces/scratch-01-abc/deployments/a",
		"GET /api/v1/namespaces/scratch-01-abc",
	}, went)
}

// A query that is longer than the page is broken at its parameters, and nothing of it is left out.
func TestALongQueryIsWhole(t *testing.T) {
	var out strings.Builder
	var went sent
	client := NewNarrator(&out, nil).Aloud(&http.Client{Transport: &went})
	url := "http://server/a?" + strings.Repeat("parameter=of-some-length&", 9) + "watch=true"
	_, err := MustSendJSON(t.Context(), client, "POST", url, strings.Repeat("long ", 50))
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	query := ""
	for _, line := range lines[:len(lines)-1] {
		require.LessOrEqual(t, len(line), width)
		query += strings.TrimLeft(line, " >")
	}
	require.Equal(t, strings.TrimPrefix(url, "http://server"), strings.TrimPrefix(query, "POST "))
	require.Contains(t, lines[len(lines)-1], "more)...", "the body is cut")
}

// A body that is too long is shown with the fields that matter, each whole, and says of each object whether it has
// more.
func TestTheFieldsThatMatterAreNotCut(t *testing.T) {
	long := strings.Repeat("long ", 13)
	others := strings.Repeat("others ", 14)
	for body, want := range map[string]string{
		`{"spec":{"a":1}}`: `{"spec":{"a":1}}`,
		`{"metadata":{"name":"` + others + `","version":"7"},"spec":{"a":[{"b":"<&>"}]},"status":{}}`: `{…,` +
			`"metadata":{…,"version":"7"},"spec":{"a":[{"b":"<&>"}]}}`,
		`{"spec":{"a":12345678901234567,"c":"` + others + `"}}`: `{"spec":{…,"a":12345678901234567}}`,
		`{"metadata":{"version":"` + long + `"},"spec":{"a":{"c":0}}}`: `{"metadata":{"version":"` + long + `"},` +
			"\n" + `"spec":{"a":{"c":0}}}`,
		`{"metadata":{"name":"` + others + `"},"spec":null}`: "", // has none of them
		`["` + others + `"]`: "",
	} {
		if want == "" {
			want = strings.TrimSpace(cut("  " + body))
		}
		var out strings.Builder
		var went sent
		client := NewNarrator(&out, nil).AloudParts(&http.Client{Transport: &went}, "metadata.version", "spec.a")
		_, err := MustSendJSON(t.Context(), client, "PUT", "http://server/a", body)
		require.NoError(t, err)
		require.Equal(t, sent{"PUT /a " + body}, went, "what is sent is whole")
		shown := strings.TrimPrefix(strings.ReplaceAll(out.String(), "\n       ", "\n"), "   > PUT /a")
		require.Equal(t, want, strings.TrimSpace(shown))
	}
}

// A path that leaves no room for a query has it on the next line.
func TestAQueryBehindALongPath(t *testing.T) {
	var out strings.Builder
	path := "/" + strings.Repeat("long", 20)
	r, err := NewRequest(t.Context(), "GET", "http://server"+path+"?fieldManager=ann", nil)
	require.NoError(t, err)
	NewNarrator(&out, nil).Request(r)
	require.Equal(t, "   > GET "+path+"\n       ?fieldManager=ann\n", out.String())
}

func TestARefusalHasTheServersWords(t *testing.T) {
	answers := map[string]string{
		`{"kind":"Status","message":"configmaps \"a\" already exists"}`: `409 Conflict: configmaps "a" already exists`,
		"no healthy upstream": "409 Conflict: no healthy upstream",
	}
	for answer, want := range answers {
		client := &http.Client{Transport: answering(answer)}
		code, raw, err := SendJSON(t.Context(), client, "POST", "http://server/a", `{}`)
		require.NoError(t, err)
		require.Equal(t, 409, code)
		require.Equal(t, answer, string(raw))
		_, err = MustSendJSON(t.Context(), client, "POST", "http://server/a", `{}`)
		require.EqualError(t, err, "POST http://server/a: "+want)
	}
	_, _, err := SendJSON(context.Background(), http.DefaultClient, "POST", "http://server/a", func() {})
	require.ErrorContains(t, err, "encoding the body")
}

// answering is a server that refuses with these words.
type answering string

func (a answering) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: 409, Body: io.NopCloser(strings.NewReader(string(a))), Request: r}, nil
}
