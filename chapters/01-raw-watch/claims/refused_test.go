package claims

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
)

// answers is a transport that answers by itself.
type answers func(*http.Request) *http.Response

// RoundTrip implements http.RoundTripper.
func (a answers) RoundTrip(r *http.Request) (*http.Response, error) { return a(r), nil }

// over gives client-go's typed client over a transport.
func (a answers) over(t *testing.T) corev1client.CoreV1Interface {
	t.Helper()
	set, err := kubernetes.NewForConfigAndClient(&rest.Config{Host: "http://memory", QPS: -1},
		&http.Client{Transport: a})
	require.NoError(t, err)
	return set.CoreV1()
}

// A request whose path would be another's is not sent. That a namespace is missing is seen where it is said that the
// resource is in one, as controller-runtime's client does. The typed clients don't, and ask for a path that is not
// there.
func TestRequestsThatAreNotSent(t *testing.T) {
	var sent []string
	set := answers(func(r *http.Request) *http.Response {
		sent = append(sent, r.Method+" "+r.URL.Path)
		return &http.Response{StatusCode: 404, Request: r, Header: http.Header{"Content-Type": {"text/plain"}},
			Body: io.NopCloser(strings.NewReader("404 page not found"))}
	}).over(t)
	get := func(namespace, name string) error {
		_, err := set.ConfigMaps(namespace).Get(t.Context(), name, metav1.GetOptions{})
		return err
	}
	require.EqualError(t, get("north", ""), "resource name may not be empty")
	require.EqualError(t, get("north", "a/b"), `invalid resource name "a/b": [may not contain '/']`)
	require.EqualError(t, get("a/b", "menu"), `invalid namespace "a/b": [may not contain '/']`)
	scoped := func(r *rest.Request) error {
		return r.NamespaceIfScoped("", true).Resource("configmaps").Name("menu").Do(t.Context()).Error()
	}
	require.EqualError(t, scoped(set.RESTClient().Get()),
		"an empty namespace may not be set when a resource name is provided")
	require.EqualError(t, scoped(set.RESTClient().Post()), "an empty namespace may not be set during creation")
	require.Empty(t, sent)
	require.EqualError(t, get("", "menu"), "the server could not find the requested resource (get configmaps menu)")
	require.Equal(t, []string{"GET /api/v1/configmaps/menu"}, sent)
}

// An answer that is no Status comes from something that is no API server, or not this one's: a proxy, an ingress, an
// aggregated server. client-go makes words of the code.
func TestAnswersWithoutAStatus(t *testing.T) {
	for code, words := range map[int]string{
		400: "the server rejected our request for an unknown reason (get configmaps menu)",
		404: "the server could not find the requested resource (get configmaps menu)",
		405: "the server does not allow this method on the requested resource (get configmaps menu)",
		409: "the server reported a conflict (get configmaps menu)",
		502: `an error on the server ("no upstream") has prevented the request from succeeding (get configmaps menu)`,
		504: "the server was unable to return a response in the time allotted, but may still be processing the " +
			"request (get configmaps menu)",
		418: "the server responded with the status code 418 but did not return more information (get configmaps menu)",
	} {
		set := answers(func(r *http.Request) *http.Response {
			return &http.Response{StatusCode: code, Request: r, Header: http.Header{"Content-Type": {"text/plain"}},
				Body: io.NopCloser(strings.NewReader("no upstream"))}
		}).over(t)
		_, err := set.ConfigMaps("north").Get(t.Context(), "menu", metav1.GetOptions{})
		require.EqualError(t, err, words)
	}
	empty := answers(func(r *http.Request) *http.Response {
		return &http.Response{StatusCode: 200, Request: r, Header: http.Header{"Content-Type": {"application/json"}},
			Body: http.NoBody}
	}).over(t)
	_, err := empty.ConfigMaps("north").Get(t.Context(), "menu", metav1.GetOptions{})
	require.EqualError(t, err, "0-length response with status code: 200 and content type: application/json")
	page := answers(func(r *http.Request) *http.Response {
		return &http.Response{StatusCode: 200, Request: r, Header: http.Header{"Content-Type": {"text/html"}},
			Body: io.NopCloser(strings.NewReader("<html>"))}
	}).over(t)
	_, err = page.ConfigMaps("north").Get(t.Context(), "menu", metav1.GetOptions{})
	require.EqualError(t, err, "serializer for text/html doesn't exist")
	_, err = page.ConfigMaps("north").Watch(t.Context(), metav1.ListOptions{})
	require.EqualError(t, err, "no stream serializers registered for text/html")
}

// An answer may end before its end. Whether the server has done what it was asked for is not known then.
func TestAnAnswerThatBreaksOff(t *testing.T) {
	set := answers(func(r *http.Request) *http.Response {
		return &http.Response{StatusCode: 200, Request: r, Header: http.Header{"Content-Type": {"application/json"}},
			Body: io.NopCloser(io.MultiReader(strings.NewReader(`{"kind":`), broken{}))}
	}).over(t)
	_, err := set.ConfigMaps("north").Get(t.Context(), "menu", metav1.GetOptions{})
	require.EqualError(t, err,
		"unexpected error when reading response body. Please retry. Original error: unexpected EOF")
}

// broken is what a connection that was cut gives.
type broken struct{}

// Read implements io.Reader.
func (broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }
