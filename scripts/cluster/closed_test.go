package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/hex"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane"
)

// closed asserts that another user of this machine can't get at what etcd holds.
func closed(t *testing.T, plane *controlplane.Plane) {
	for _, dir := range []string{plane.Dir, filepath.Dir(plane.Dir)} {
		info, err := os.Stat(dir)
		require.NoError(t, err)
		assert.Equal(t, os.FileMode(0o700), info.Mode().Perm(), "only we may enter %s, where etcd's sockets are", dir)
	}
	ok, answer := etcdAnswers(t, "http", "unix", filepath.Join(plane.Dir, "e.sock"))
	require.True(t, ok, "the request below is one that etcd answers, to us on its socket: %s", answer)

	for _, address := range listening(t, plane) {
		assert.True(t, address.Addr().IsLoopback(), "%s is beyond loopback", address)
		for _, scheme := range []string{"http", "https"} {
			ok, answer := etcdAnswers(t, scheme, "tcp", address.String())
			assert.False(t, ok, "%s by %s answers an etcd request: %s", address, scheme, answer)
		}
	}
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
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, scheme+"://localhost/etcdserverpb.KV/Range", bytes.NewReader(frame))
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

// listening returns the TCP addresses on which the processes of a control plane listen.
func listening(t *testing.T, plane *controlplane.Plane) []netip.AddrPort {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("this machine has no /proc, where the sockets of a process are read")
	}
	all, err := controlplane.ProcessesNaming(plane.Dir)
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(all), 7, "the supervisor, three leashes and three servers")
	var found []netip.AddrPort
	for _, p := range all {
		sockets, err := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", p.PID))
		require.NoError(t, err)
		var inodes []string
		for _, fd := range sockets {
			target, _ := os.Readlink(fd)
			if inode, ok := strings.CutPrefix(target, "socket:["); ok {
				inodes = append(inodes, strings.TrimSuffix(inode, "]"))
			}
		}
		for _, table := range []string{"tcp", "tcp6"} {
			data, err := os.ReadFile(fmt.Sprintf("/proc/%d/net/%s", p.PID, table))
			require.NoError(t, err)
			for _, line := range strings.Split(string(data), "\n") {
				field := strings.Fields(line)
				if len(field) > 9 && field[3] == "0A" && slices.Contains(inodes, field[9]) {
					found = append(found, procAddress(t, field[1]))
				}
			}
		}
	}
	require.Len(t, found, 2, "the API server's port and etcd's for metrics, nothing else: %v", found)
	return found
}

// procAddress reads an address as /proc/net/tcp writes it: hexadecimal, in words of the machine's byte order.
func procAddress(t *testing.T, text string) netip.AddrPort {
	t.Helper()
	host, port, _ := strings.Cut(text, ":")
	b, err := hex.DecodeString(host)
	require.NoError(t, err)
	for word := range slices.Chunk(b, 4) {
		slices.Reverse(word)
	}
	ip, ok := netip.AddrFromSlice(b)
	require.True(t, ok)
	n, err := strconv.ParseUint(port, 16, 16)
	require.NoError(t, err)
	return netip.AddrPortFrom(ip.Unmap(), uint16(n))
}

// forbidden asserts that RBAC is on.
func forbidden(t *testing.T, plane *controlplane.Plane) {
	transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}
	defer transport.CloseIdleConnections()
	answer, err := (&http.Client{Transport: transport}).Get(plane.Server + "/api/v1/secrets")
	require.NoError(t, err)
	defer answer.Body.Close()
	assert.Equal(t, http.StatusForbidden, answer.StatusCode)
}

// metrics returns what etcd says on its one port.
func metrics(t *testing.T, plane *controlplane.Plane) string {
	t.Helper()
	transport := new(http.Transport)
	defer transport.CloseIdleConnections()
	answer, err := (&http.Client{Transport: transport}).Get(plane.EtcdMetrics + "/metrics")
	require.NoError(t, err)
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	return string(body)
}
