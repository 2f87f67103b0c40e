package claims

import (
	"context"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/util/flowcontrol"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/watch"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/kube"
)

// sendInitialEvents does not come alone, whichever value it has:
// without resourceVersionMatch=NotOlderThan the watch is refused.
//
// covers: B-01
func TestInitialEventsNeedAMatch(t *testing.T) {
	f := setup(t)
	for _, value := range []string{"true", "false"} {
		resp, body := f.Do(http.MethodGet, f.path+"?watch=true&timeoutSeconds=1&sendInitialEvents="+value, nil)
		require.Equal(t, http.StatusUnprocessableEntity, resp.StatusCode, "%s", body)
		require.Contains(t, string(body), "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan")
	}
}

// The bookmark at the end of the initial events is a bookmark:
// a client that has not asked for any waits for it in vain.
//
// covers: S3-19
func TestTheEndOfTheInitialEventsIsABookmark(t *testing.T) {
	f := setup(t)
	f.create("a", nil)
	marks := func(bookmarks string) (n int) {
		resp := f.get(t, f.http1(t), f.path+"?watch=true&timeoutSeconds=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"+bookmarks)
		decoder := watch.NewDecoder(resp.Body)
		for {
			event, err := decoder.Next()
			if err == io.EOF {
				return n
			}
			require.NoError(t, err)
			if event.Type == watch.Bookmark {
				n++
			}
		}
	}
	require.Zero(t, marks(""))
	require.Positive(t, marks("&allowWatchBookmarks=true"))
}

// client-go's limit of requests a second does not hold for the first try of a watch. With the only token spent, a list
// waits for the next one, which comes in three hours, and a watch is opened at once.
//
// covers: C-15
func TestAWatchIsNotLimited(t *testing.T) {
	f := setup(t)
	config := kube.RESTConfig(t, f.Cluster.Cluster)
	config.RateLimiter = flowcontrol.NewTokenBucketRateLimiter(0.0001, 1)
	clients, err := kubernetes.NewForConfig(config)
	require.NoError(t, err)
	configMaps := clients.CoreV1().ConfigMaps(f.Namespace)
	_, err = configMaps.List(t.Context(), metav1.ListOptions{})
	require.NoError(t, err)

	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	_, err = configMaps.List(ctx, metav1.ListOptions{})
	require.ErrorContains(t, err, "client rate limiter Wait returned an error")
	w, err := configMaps.Watch(ctx, metav1.ListOptions{})
	require.NoError(t, err)
	w.Stop()
}
