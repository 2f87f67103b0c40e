package claims

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/watch"
)

// TestGoneComesInsideA200: a watch from before the history is accepted with status 200. The refusal is
// an ERROR event, and its words are not those of most texts. Nothing was compacted for it: the watch
// cache's history is shorter than etcd's, and an exact list of that moment still works.
//
// covers: B-16 B-17
func TestGoneComesInsideA200(t *testing.T) {
	t.Parallel()
	f := setup(t)
	old := f.create("before-the-kind")
	path := f.NewKind()

	resp := f.Open(http.MethodGet, path+"?watch=true&resourceVersion="+old, nil)
	defer resp.Body.Close()
	require.Equal(t, http.StatusOK, resp.StatusCode, "who looks for 410 here never sees it")
	stream := watch.NewDecoder(resp.Body)
	event, err := stream.Next()
	require.NoError(t, err)
	require.Equal(t, watch.Error, event.Type)
	var status *watch.StatusError
	require.ErrorAs(t, event.Err(), &status)
	require.Equal(t, http.StatusGone, status.Code)
	require.Equal(t, "Expired", status.Reason)
	require.True(t, strings.HasPrefix(status.Message, "too old resource version: "+old+" ("), status.Message)
	_, err = stream.Next()
	require.Equal(t, io.EOF, err, "and that is all")

	listed, _ := f.Do(http.MethodGet, path+"?resourceVersionMatch=Exact&resourceVersion="+old, nil)
	require.Equal(t, http.StatusOK, listed.StatusCode, "etcd still has that moment: it was not compacted")
}
