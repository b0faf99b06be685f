//! `recollect mcp`: the tools over stdin and stdout, until stdin ends.
//!
//! Nothing but the protocol goes to stdout; logs go to stderr. Calls that are under way when stdin ends are still answered.

use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::io::stdio;

use super::McpServer;
use crate::problem::Problem;

/// Serves one client.
pub async fn serve(server: McpServer) -> Result<(), Problem> {
    let desk = server.desk.clone();
    let (read, write) = stdio();
    let transport = AsyncRwTransport::new(read, write).with_max_line_length(crate::limits::BODY_BYTES);
    let served = match server.serve(transport).await {
        Ok(running) => running.waiting().await.map(drop).map_err(Problem::ours),
        // Somebody who looks whether it starts, and leaves without a word.
        Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
        Err(error) => Err(Problem::invalid(format!("the client does not speak the protocol: {error}"))
            .hint("this command is for programs; `recollect mcp --print-config` says how to connect them")),
    };
    desk.close().await;
    served
}
