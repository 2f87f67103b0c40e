package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/03-watch-server/apiserver"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/03-watch-server/apiserver/storage"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
)

// ask sends a JSON request to a side and decodes the answer.
func (s side) ask(t testing.TB, method, url, body string, headers ...string) (int, map[string]any) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/json")
	for _, h := range headers {
		k, v, _ := strings.Cut(h, ": ")
		r.Header.Set(k, v)
	}
	response, err := s.http.Do(r)
	require.NoError(t, err)
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	var answer map[string]any
	_ = json.Unmarshal(raw, &answer)
	return response.StatusCode, answer
}

// version is the resourceVersion of an object or a list, as the number that clients must not take it for.
func version(t testing.TB, o map[string]any) uint64 {
	t.Helper()
	metadata, _ := o["metadata"].(map[string]any)
	n, err := strconv.ParseUint(fmt.Sprint(metadata["resourceVersion"]), 10, 64)
	require.NoError(t, err, "%v", o)
	return n
}

// events opens a watch and reads its lines until f says that it has had enough. A watch in these
// tests ends by itself after 20 seconds, so a wrong expectation fails instead of waiting.
func (s side) events(t testing.TB, url string, f func(line []byte) (more bool)) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, "GET", url+"&watch=true&timeoutSeconds=20", nil)
	require.NoError(t, err)
	response, err := s.http.Do(r)
	require.NoError(t, err)
	defer response.Body.Close()
	require.Equal(t, 200, response.StatusCode)
	lines := bufio.NewScanner(response.Body)
	for lines.Scan() {
		if !f(lines.Bytes()) {
			return
		}
	}
	t.Errorf("the watch ended before the test was content: %v", lines.Err())
}

// TestRevisionsAreWrites: a resourceVersion is the number of a write, in one sequence for all
// objects. Were it a digest of the content, the two twins would have the same, and red would have
// its old one back.
//
// covers: B-23 S0-15
func TestRevisionsAreWrites(t *testing.T) {
	onBoth(t, func(t *testing.T, s side) {
		last := uint64(0)
		grows := func(o map[string]any, what string) {
			t.Helper()
			require.Greater(t, version(t, o), last, what)
			last = version(t, o)
		}
		for _, name := range []string{"twin", "other-twin"} {
			_, o := s.ask(t, "POST", s.collection(), `{"metadata":{"name":"`+name+`"},"data":{"v":"red"}}`)
			grows(o, "two objects with the same content, two writes, two revisions")
		}
		for _, v := range []string{"green", "red", "green", "red"} {
			_, o := s.ask(t, "PUT", s.collection()+"/twin", `{"metadata":{"name":"twin"},"data":{"v":"`+v+`"}}`)
			grows(o, "the content comes back, the revision does not")
		}
		_, o := s.ask(t, "PUT", s.collection()+"/twin", `{"metadata":{"name":"twin"},"data":{"v":"red"}}`)
		assert.Equal(t, last, version(t, o), "an update that changes nothing is no write")
		code, _ := s.ask(t, "PUT", s.collection()+"/twin",
			fmt.Sprintf(`{"metadata":{"name":"twin","resourceVersion":"%d"},"data":{"v":"blue"}}`, last-1))
		assert.Equal(t, 409, code)
	})
}

// TestNoOpSendsNoEvent: after an update that changes nothing, the next event of a watch is that of
// the next update that does.
//
// covers: C-36
func TestNoOpSendsNoEvent(t *testing.T) {
	onBoth(t, func(t *testing.T, s side) {
		_, made := s.ask(t, "POST", s.collection(), `{"metadata":{"name":"a"},"data":{"v":"1"}}`)
		for _, v := range []string{"1", "1", "2"} {
			code, _ := s.ask(t, "PUT", s.collection()+"/a", `{"metadata":{"name":"a"},"data":{"v":"`+v+`"}}`)
			require.Equal(t, 200, code)
		}
		s.events(t, fmt.Sprintf("%s?fieldSelector=metadata.name%%3Da&resourceVersion=%d", s.collection(), version(t, made)), func(line []byte) bool {
			assert.Contains(t, string(line), `"MODIFIED"`)
			assert.Contains(t, string(line), `"v":"2"`, "the first event after three updates is that of the third")
			return false
		})
	})
}

// TestExpiredWithoutCompaction: 410 Gone is the window's answer. A resource that has just begun to
// be served refuses a revision from before, in milliseconds and inside a 200; nothing was compacted,
// for the real server still lists that very revision from etcd.
//
// covers: B-17 C-21
func TestExpiredWithoutCompaction(t *testing.T) {
	onBoth(t, func(t *testing.T, s side) {
		_, list := s.ask(t, "GET", s.collection(), "")
		before := version(t, list)
		_, _ = s.ask(t, "POST", s.collection(), `{"metadata":{"name":"a"}}`)
		relics := s.install(t)
		s.events(t, fmt.Sprintf("%s?resourceVersion=%d", relics, before), func(line []byte) bool {
			var event struct {
				Type   string
				Object struct {
					Code            int
					Reason, Message string
				}
			}
			require.NoError(t, json.Unmarshal(line, &event))
			assert.Equal(t, "ERROR", event.Type)
			assert.Equal(t, 410, event.Object.Code)
			assert.Equal(t, "Expired", event.Object.Reason)
			assert.Contains(t, event.Object.Message, fmt.Sprintf("too old resource version: %d", before))
			return false
		})
		if s.store == nil {
			code, exact := s.ask(t, "GET", fmt.Sprintf("%s?resourceVersionMatch=Exact&resourceVersion=%d", relics, before), "")
			assert.Equal(t, 200, code, "etcd still has the revision: %v", exact)
		}
	})
}

// install makes a resource that was not served before, and returns the URL of its collection.
func (s side) install(t *testing.T) string {
	t.Helper()
	plural := "relics" + lab.Suffix()
	if s.server != nil {
		s.server.Install(apiserver.Resource{Group: "museum.example.com", Version: "v1", Plural: plural, Kind: "Relic"})
		return s.url + "/apis/museum.example.com/v1/namespaces/" + s.namespace + "/" + plural
	}
	crds := s.url + "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
	code, answer := s.ask(t, "POST", crds, fmt.Sprintf(`{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
		"metadata":{"name":"%[1]s.museum.example.com"},"spec":{"group":"museum.example.com","scope":"Namespaced",
		"names":{"plural":"%[1]s","kind":"Relic%[1]s"},"versions":[{"name":"v1","served":true,"storage":true,
		"schema":{"openAPIV3Schema":{"type":"object"}}}]}}`, plural))
	require.Equal(t, 201, code, "%v", answer)
	t.Cleanup(func() {
		r, _ := http.NewRequest("DELETE", crds+"/"+plural+".museum.example.com", nil)
		if response, err := s.http.Do(r); err == nil {
			response.Body.Close()
		}
	})
	s.events(t, crds+"?fieldSelector=metadata.name%3D"+plural+".museum.example.com", func(line []byte) bool {
		return !strings.Contains(string(line), `"type":"Established","status":"True"`) &&
			!strings.Contains(string(line), `"status":"True","type":"Established"`) &&
			!(strings.Contains(string(line), `"Established"`) && strings.Contains(string(line), `"InitialNamesAccepted"`))
	})
	collection := s.url + "/apis/museum.example.com/v1/namespaces/" + s.namespace + "/" + plural
	require.Eventually(t, func() bool {
		code, _ := s.ask(t, "GET", collection, "")
		return code == 200
	}, 30*time.Second, 20*time.Millisecond, "the new resource is served")
	return collection
}

// plane is what the local control plane tells about itself.
func plane(t *testing.T, c *lab.Cluster) *controlplane.Plane {
	t.Helper()
	p, err := controlplane.ReadPlane(filepath.Dir(c.Kubeconfig))
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
	s, p := upstream(t), plane(t, cluster.Shared(t).Cluster)
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
	for _, gone := range [][]string{{"apiserver_cache_list_total"}, {"etcd_request_duration_seconds_count", `operation="list"`}} {
		_, found := metrics(t, s.http, s.url+"/metrics", gone...)
		assert.False(t, found, "%v", gone)
	}
	counters := map[string][]string{
		"lists from the cache":   {"apiserver_storage_list_total", `resource="configmaps"`, `storage="watchcache"`},
		"consistent reads of it": {"apiserver_watch_cache_consistent_read_total", `resource="configmaps"`},
		"revisions asked for":    {"etcd_request_duration_seconds_count", `resource="configmaps"`, `operation="getCurrentResourceVersion"`},
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

// TestCreateByUpdateIsACreate: where a PUT may create (a Lease), uid and creationTimestamp are the
// server's, as with POST.
//
// covers: C-51
func TestCreateByUpdateIsACreate(t *testing.T) {
	testkit.Needs(t, testkit.MinorVersion)
	s := upstream(t)
	url := s.url + "/apis/coordination.k8s.io/v1/namespaces/" + s.namespace + "/leases/a"
	body := `{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"a","creationTimestamp":"2001-01-01T00:00:00Z"},"spec":{}}`
	code, o := s.ask(t, "PUT", url, body)
	require.Equal(t, 201, code, "%v", o)
	metadata := o["metadata"].(map[string]any)
	assert.NotEqual(t, "2001-01-01T00:00:00Z", metadata["creationTimestamp"])
	assert.NotEmpty(t, metadata["uid"])
	code, _ = s.ask(t, "PATCH", url[:len(url)-1]+"b?fieldManager=test", strings.Replace(body, `"a"`, `"b"`, 1), "Content-Type: application/apply-patch+yaml")
	require.Equal(t, 201, code)
	_, o = s.ask(t, "GET", url[:len(url)-1]+"b", "")
	assert.NotEqual(t, "2001-01-01T00:00:00Z", o["metadata"].(map[string]any)["creationTimestamp"])
}

// TestRemovedFeatureGate: a flag of older texts stops the server before it starts.
//
// covers: B-114
func TestRemovedFeatureGate(t *testing.T) {
	testkit.Needs(t, testkit.RestartServer, testkit.MinorVersion)
	dir, err := controlplane.Ensure(t.Context(), controlplane.Quiet(), controlplane.KubeAPIServer)
	require.NoError(t, err)
	for _, gate := range []string{"ConsistentListFromCache", "BtreeWatchCache"} {
		out, err := runToEnd(t, filepath.Join(dir, "kube-apiserver"), "--feature-gates="+gate+"=false")
		require.Error(t, err)
		assert.Contains(t, out, "unrecognized feature gate: "+gate)
	}
	out, _ := runToEnd(t, filepath.Join(dir, "kube-apiserver"), "--feature-gates=WatchList=false")
	assert.NotContains(t, out, "unrecognized feature gate", "this one can still be switched")
}

// TestServerKnowsNoKinds: with nothing installed there is nothing; a kind that nobody has heard of
// works with kubectl as soon as it is.
//
// covers: S0-06
func TestServerKnowsNoKinds(t *testing.T) {
	s := ours(t, storage.Options{}, apiserver.Resource{Group: "museum.example.com", Version: "v1", Plural: "relics", Kind: "Relic", ShortNames: []string{"rl"}})
	code, _ := s.ask(t, "GET", s.collection(), "")
	assert.Equal(t, 404, code, "ConfigMaps are not built in")
	relic := `{"apiVersion":"museum.example.com/v1","kind":"Relic","metadata":{"name":"shard"},"spec":{"age":3000}}`
	out, err := s.kubectl(t, relic, "create", "-f", "-")
	require.NoError(t, err, out)
	assert.Contains(t, out, "relic.museum.example.com/shard created")
	out, err = s.kubectl(t, "", "get", "rl", "shard", "-o", "jsonpath={.spec.age}")
	require.NoError(t, err, out)
	assert.Equal(t, "3000", out)
}

// TestMemoryForgets: the store lives as long as its process. A client that comes back with a
// revision of the one before is told so.
//
// covers: S0-07
func TestMemoryForgets(t *testing.T) {
	s := ours(t, storage.Options{})
	for i := range 5 {
		s.ask(t, "POST", s.collection(), fmt.Sprintf(`{"metadata":{"name":"a%d"}}`, i))
	}
	_, list := s.ask(t, "GET", s.collection(), "")
	require.Len(t, list["items"], 5)
	seen := version(t, list)

	again := ours(t, storage.Options{})
	_, list = again.ask(t, "GET", again.collection(), "")
	assert.Empty(t, list["items"])
	again.events(t, fmt.Sprintf("%s?resourceVersion=%d", again.collection(), seen), func(line []byte) bool {
		assert.Contains(t, string(line), fmt.Sprintf("Too large resource version: %d, current: 1", seen))
		return false
	})
}

// TestUpdateWithoutVersion: whether a PUT has to say what it was made from, is for each kind to
// decide. A ConfigMap's need not; that of a custom resource is refused, but not by ours.
func TestUpdateWithoutVersion(t *testing.T) {
	onBoth(t, func(t *testing.T, s side) {
		put := func(collection, object string) (int, map[string]any) {
			code, made := s.ask(t, "POST", collection, object)
			require.Equal(t, 201, code, "%v", made)
			return s.ask(t, "PUT", collection+"/a", object)
		}
		code, answer := put(s.collection(), `{"metadata":{"name":"a"}}`)
		assert.Equal(t, 200, code, "%v", answer)
		relics := s.install(t)
		if s.server != nil {
			code, answer = put(relics, `{"metadata":{"name":"a"}}`)
			assert.Equal(t, 200, code, "%v", answer)
			return
		}
		code, answer = put(relics, `{"apiVersion":"museum.example.com/v1","kind":"Relic`+path.Base(relics)+`","metadata":{"name":"a"}}`)
		assert.Equal(t, 422, code, "%v", answer)
		assert.Contains(t, answer["message"], "metadata.resourceVersion: Invalid value: 0: must be specified for an update")
	})
}
