package scripted

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/faults"
)

// What the fault proxy can't play, because it happens before a request reaches a server, or is an answer that only some
// requests get.
const (
	refused      faults.Kind = "refused"        // nobody listens on the port
	empty        faults.Kind = "closed at once" // a watch that ends within a second, without an event
	tooLarge     faults.Kind = "too large"      // the watch cache has not seen the version yet
	noInitial    faults.Kind = "no streaming"   // a server that knows no streaming lists
	forbidden    faults.Kind = "forbidden"
	oldGone      faults.Kind = "old gone" // 410 as servers before 1.18 said it: the reason is Gone
	unclearEvent faults.Kind = "unclear"  // an ERROR event whose object is no Status
)

// inFront are answers that are given in front of the proxy, with the kinds of request that get them.
var inFront = map[faults.Kind]func(kind string) bool{
	refused:      func(string) bool { return true },
	empty:        func(kind string) bool { return kind != listing },
	tooLarge:     func(kind string) bool { return kind != watching },
	noInitial:    func(kind string) bool { return kind == streaming },
	forbidden:    func(string) bool { return true },
	oldGone:      func(string) bool { return true },
	unclearEvent: func(kind string) bool { return kind != listing },
}

// answer is what a request gets in front of the proxy.
func answer(kind faults.Kind, r *http.Request) (*http.Response, error) {
	status := func(code int, reason, details string) (*http.Response, error) {
		return response(r, code, fmt.Sprintf(`{"kind":"Status","apiVersion":"v1","status":"Failure","code":%d,`+
			`"reason":%q,"message":"an injected fault"%s}`, code, reason, details)), nil
	}
	switch kind {
	case refused:
		dial := &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
		return nil, &url.Error{Op: "Get", URL: r.URL.String(), Err: dial}
	case empty:
		return response(r, http.StatusOK, ""), nil
	case tooLarge:
		return status(http.StatusGatewayTimeout, "Timeout",
			`,"details":{"causes":[{"reason":"ResourceVersionTooLarge","message":"Too large resource version"}]}`)
	case noInitial:
		return status(http.StatusUnprocessableEntity, "Invalid",
			`,"details":{"causes":[{"reason":"FieldValueForbidden","field":"sendInitialEvents"}]}`)
	case forbidden:
		return status(http.StatusForbidden, "Forbidden", "")
	case oldGone:
		return status(http.StatusGone, "Gone", "")
	default:
		return response(r, http.StatusOK, `{"type":"ERROR","object":{"kind":"ConfigMap","apiVersion":"v1"}}`+"\n"), nil
	}
}

func response(r *http.Request, code int, body string) *http.Response {
	return &http.Response{StatusCode: code, Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(strings.NewReader(body)), Request: r}
}
