package selfsigned

import (
	"crypto/tls"
	"crypto/x509"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A certificate vouches for its own holder, for its own use, and for nobody else.
func TestACertificateIsItsOwnAuthority(t *testing.T) {
	server, err := New("server", x509.ExtKeyUsageServerAuth, time.Hour)
	require.NoError(t, err)
	other, err := New("server", x509.ExtKeyUsageServerAuth, time.Hour)
	require.NoError(t, err)
	parsed, err := x509.ParseCertificate(server.TLS.Certificate[0])
	require.NoError(t, err)
	valid := func(by *Certificate, use x509.ExtKeyUsage, at time.Time) error {
		_, err := parsed.Verify(x509.VerifyOptions{Roots: by.Pool(), KeyUsages: []x509.ExtKeyUsage{use},
			CurrentTime: at, DNSName: "127.0.0.1"})
		return err
	}
	require.NoError(t, valid(server, x509.ExtKeyUsageServerAuth, time.Now()))
	assert.Error(t, valid(other, x509.ExtKeyUsageServerAuth, time.Now()), "another one of the same name")
	assert.Error(t, valid(server, x509.ExtKeyUsageClientAuth, time.Now()), "another use")
	assert.Error(t, valid(server, x509.ExtKeyUsageServerAuth, time.Now().Add(2*time.Hour)), "it has ended")

	key, err := server.Key()
	require.NoError(t, err)
	_, err = tls.X509KeyPair(server.PEM, key)
	require.NoError(t, err, "certificate and key go together")
	key, err = other.Key()
	require.NoError(t, err)
	_, err = tls.X509KeyPair(server.PEM, key)
	require.Error(t, err)
}
