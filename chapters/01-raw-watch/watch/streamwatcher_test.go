package watch_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	apiwatch "k8s.io/apimachinery/pkg/watch"
)

// broken is a stream that has nothing to read but an error.
type broken struct{ err error }

func (b broken) Decode() (apiwatch.EventType, runtime.Object, error) { return "", nil, b.err }
func (b broken) Close()                                              {}

// A channel has room for an error, as an event of the type ERROR. Upstream's StreamWatcher sends one, with the code
// 500, for a failure that does not look like a connection that ended; what does look like one closes the channel, as a
// clean end does.
func TestWhichErrorsAStreamWatcherSwallows(t *testing.T) {
	lost := errors.New("http2: client connection lost")
	for _, c := range []struct {
		err  error
		want string // the message of the ERROR event, empty for none
	}{
		{io.EOF, ""},
		{io.ErrUnexpectedEOF, ""},
		{fmt.Errorf("read tcp: %w", syscall.ECONNRESET), ""},
		{os.ErrDeadlineExceeded, ""},
		{lost, "unable to decode an event from the watch stream: http2: client connection lost"},
	} {
		w := apiwatch.NewStreamWatcher(broken{c.err},
			apierrors.NewClientErrorReporter(http.StatusInternalServerError, "GET", ""))
		var got []string
		for event := range w.ResultChan() {
			require.Equal(t, apiwatch.Error, event.Type)
			status := event.Object.(*metav1.Status)
			require.EqualValues(t, http.StatusInternalServerError, status.Code)
			got = append(got, status.Details.Causes[0].Message)
		}
		if c.want == "" {
			require.Empty(t, got, "%v", c.err)
		} else {
			require.Equal(t, []string{c.want}, got)
		}
	}
}
