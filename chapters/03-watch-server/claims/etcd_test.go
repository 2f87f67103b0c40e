package claims

import (
	"bufio"
	"fmt"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
)

// planeOf is what the local control plane tells about itself.
func planeOf(t *testing.T, c *lab.Cluster) *plane.Plane {
	t.Helper()
	p, err := plane.Read(filepath.Dir(c.Kubeconfig))
	require.NoError(t, err)
	return p
}

// metrics adds up the samples of a page of metrics whose name and labels contain all the parts.
func metrics(t *testing.T, client *http.Client, url string, parts ...string) (sum float64, found bool) {
	t.Helper()
	response, err := client.Get(url)
	require.NoError(t, err)
	defer response.Body.Close()
	require.Equal(t, 200, response.StatusCode)
	lines := bufio.NewScanner(response.Body)
	lines.Buffer(nil, 1<<20)
line:
	for lines.Scan() {
		for _, p := range parts {
			if strings.HasPrefix(lines.Text(), "#") || !strings.Contains(lines.Text(), p) {
				continue line
			}
		}
		i := strings.LastIndexByte(lines.Text(), ' ')
		v, err := strconv.ParseFloat(lines.Text()[i+1:], 64)
		require.NoError(t, err)
		sum, found = sum+v, true
	}
	require.NoError(t, lines.Err())
	return sum, found
}

// TestClientsDoNotWatchEtcd: thirty clients that watch are thirty readers of the API server's
// cache; etcd has as many watchers as before. What is written does go to etcd, each time.
//
// covers: B-11 S0-07
func TestClientsDoNotWatchEtcd(t *testing.T) {
	testkit.Needs(t, testkit.EtcdMetrics)
	s, p := upstream(t), planeOf(t, cluster.Shared(t).Cluster)
	watchers := func() float64 {
		n, found := metrics(t, http.DefaultClient, p.EtcdMetrics+"/metrics", "etcd_debugging_mvcc_watcher_total")
		require.True(t, found)
		return n
	}
	puts := func() float64 {
		n, _ := metrics(t, http.DefaultClient, p.EtcdMetrics+"/metrics", "etcd_mvcc_put_total")
		return n
	}
	defer http.DefaultClient.CloseIdleConnections()
	before, written := watchers(), puts()
	const clients = 30
	for range clients {
		r, err := http.NewRequestWithContext(t.Context(), "GET", s.collection()+
			"?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true", nil)
		require.NoError(t, err)
		response, err := s.http.Do(r)
		require.NoError(t, err)
		defer response.Body.Close()
		_, err = bufio.NewReader(response.Body).ReadString('\n') // it is being served
		require.NoError(t, err)
	}
	assert.Less(t, watchers()-before, float64(clients)/2, "etcd's watchers before and with %d more clients", clients)
	for i := range 3 {
		code, _ := s.ask(t, "POST", s.collection(), fmt.Sprintf(`{"metadata":{"name":"a%d"}}`, i))
		require.Equal(t, 201, code)
	}
	assert.GreaterOrEqual(t, puts()-written, float64(3), "writes reach etcd")
}

// TestMetricsHaveNewNames: what older texts tell to look at is not there any more, and what has
// taken its place counts.
//
// covers: B-111 C-51
func TestMetricsHaveNewNames(t *testing.T) {
	testkit.Needs(t, testkit.MinorVersion)
	s := upstream(t)
	read := func(parts ...string) float64 {
		n, _ := metrics(t, s.http, s.url+"/metrics", parts...)
		return n
	}
	for _, gone := range [][]string{{"apiserver_cache_list_total"},
		{"etcd_request_duration_seconds_count", `operation="list"`}} {
		_, found := metrics(t, s.http, s.url+"/metrics", gone...)
		assert.False(t, found, "%v", gone)
	}
	counters := map[string][]string{
		"lists from the cache":   {"apiserver_storage_list_total", `resource="configmaps"`, `storage="watchcache"`},
		"consistent reads of it": {"apiserver_watch_cache_consistent_read_total", `resource="configmaps"`},
		"revisions asked for": {"etcd_request_duration_seconds_count", `resource="configmaps"`,
			`operation="getCurrentResourceVersion"`},
	}
	before := map[string]float64{}
	for name, parts := range counters {
		before[name] = read(parts...)
	}
	const lists = 3
	for range lists {
		code, _ := s.ask(t, "GET", s.collection(), "")
		require.Equal(t, 200, code)
	}
	for name, parts := range counters {
		assert.GreaterOrEqual(t, read(parts...)-before[name], float64(lists), name)
	}
	_, found := metrics(t, s.http, s.url+"/metrics", "etcd_request_duration_seconds_count", `operation="listStream"`)
	assert.True(t, found, "the watch cache fills itself from a stream of etcd's (RangeStream)")
}
