package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane"
)

// closed asserts that the sockets of a control plane are those we know, and that no port of it answers as etcd does.
func closed(t *testing.T, up *plane.Plane) {
	found := doors(t, up)
	var files []string
	for _, name := range []string{"ctl", "e.sock", "p.sock"} {
		files = append(files, filepath.Join(up.Dir, name))
	}
	assert.Equal(t, files, found.files, "the supervisor's socket and etcd's two")
	require.Len(t, found.ports, 2, "the API server's port and etcd's for metrics, nothing else: %v", found.ports)

	ok, answer := etcdAnswers(t, "http", "unix", filepath.Join(up.Dir, "e.sock"))
	require.True(t, ok, "the request below is one that etcd answers, to us on its socket: %s", answer)
	for _, address := range found.ports {
		assert.True(t, address.Addr().IsLoopback(), "%s is beyond loopback", address)
		for _, scheme := range []string{"http", "https"} {
			ok, answer := etcdAnswers(t, scheme, "tcp", address.String())
			assert.False(t, ok, "%s by %s answers an etcd request: %s", address, scheme, answer)
		}
	}
}

// private asserts that everything below the folders is ours and nobody else's, the folders that lead to the sockets
// first.
func private(t *testing.T, up *plane.Plane) (files []string) {
	t.Helper()
	for _, dir := range []string{filepath.Dir(up.Dir), up.Dir, up.Lasting} {
		err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
			if os.IsNotExist(err) {
				return nil // etcd's and the API server's temporary files come and go
			}
			require.NoError(t, err)
			info, err := os.Lstat(path)
			if os.IsNotExist(err) {
				return nil
			}
			require.NoError(t, err)
			stat, ok := info.Sys().(*syscall.Stat_t)
			assert.True(t, ok && int(stat.Uid) == os.Getuid(), "%s belongs to another user", path)
			if info.Mode()&fs.ModeSymlink == 0 {
				assert.Zero(t, info.Mode().Perm()&0o077, "%s is open to others: %v", path, info.Mode())
				files = append(files, path)
			}
			return nil
		})
		require.NoError(t, err)
	}
	return files
}

// anonymous asserts what the two ports tell to one who has no credentials.
func anonymous(t *testing.T, up *plane.Plane) {
	for path, want := range map[string]int{
		"/api/v1/secrets": 403, "/api/v1/namespaces/default/configmaps": 403, "/api": 403, "/apis": 403,
		"/metrics": 403, "/logs": 403, "/debug/pprof/": 403, "/openapi/v2": 403,
		"/livez": 200, "/readyz": 200, "/version": 200,
	} {
		assert.Equal(t, want, statusOf(t, http.MethodGet, up.Server+path), "GET %s of the API server", path)
	}
	for _, path := range []string{
		"/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", "/api/v1/namespaces",
		"/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
	} {
		assert.Equal(t, 403, statusOf(t, http.MethodPost, up.Server+path), "POST %s to the API server", path)
	}
	for path, want := range map[string]int{
		"/health": 200, "/livez": 200, "/readyz": 200, "/metrics": 200,
		"/": 404, "/version": 404, "/v2/keys": 404, "/members": 404, "/debug/pprof/": 404, "/debug/vars": 404,
		"/debug/requests": 404, "/config/local/log": 404, "/raft": 404, "/raft/probing": 404, "/v3/kv/range": 404,
		"/v3/maintenance/snapshot": 404,
	} {
		assert.Equal(t, want, statusOf(t, http.MethodGet, up.EtcdMetrics+path), "GET %s of etcd's port", path)
		if want == 404 {
			assert.Equal(t, want, statusOf(t, http.MethodPost, up.EtcdMetrics+path), "POST %s to etcd's port", path)
		}
	}
}

// statusOf sends a request without credentials and returns the status of the answer.
func statusOf(t *testing.T, method, url string) int {
	t.Helper()
	transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}
	defer transport.CloseIdleConnections()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader("{}"))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/json")
	answer, err := (&http.Client{Transport: transport, Timeout: time.Minute}).Do(r)
	require.NoError(t, err)
	answer.Body.Close()
	return answer.StatusCode
}

// etcdAnswers sends etcd's gRPC request for all its keys, without credentials, and says whether the answer is one.
func etcdAnswers(t *testing.T, scheme, network, address string) (yes bool, answer string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	var both http.Protocols
	both.SetHTTP2(true)
	both.SetUnencryptedHTTP2(true)
	client := &http.Client{Transport: &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, address)
		},
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
		Protocols:       &both,
	}}
	defer client.CloseIdleConnections()
	message := []byte{0x0a, 1, 0, 0x12, 1, 0} // RangeRequest{key: "\x00", range_end: "\x00"}: everything
	frame := append([]byte{0, 0, 0, 0, byte(len(message))}, message...)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, scheme+"://localhost/etcdserverpb.KV/Range",
		bytes.NewReader(frame))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/grpc")
	r.Header.Set("TE", "trailers")
	got, err := client.Do(r)
	if err != nil {
		return false, err.Error()
	}
	defer got.Body.Close()
	body, err := io.ReadAll(got.Body)
	if err != nil {
		return false, err.Error()
	}
	return got.Trailer.Get("Grpc-Status") == "0" && len(body) > 0, fmt.Sprintf("%s, %d bytes", got.Status, len(body))
}

// metrics returns what etcd says on its one port.
func metrics(t *testing.T, up *plane.Plane) string {
	t.Helper()
	transport := new(http.Transport)
	defer transport.CloseIdleConnections()
	answer, err := (&http.Client{Transport: transport}).Get(up.EtcdMetrics + "/metrics")
	require.NoError(t, err)
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	return string(body)
}
